/** @module The least that can start: `bare.ts PORT [KV_FILE]`, the second with a database open. */

const [port, file] = Deno.args;
if (file !== undefined) await Deno.openKv(file);
const init = { headers: { "content-type": "application/json" } };
Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen() {} },
  () => new Response('{"ok":true}', init),
);
