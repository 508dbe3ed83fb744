/**
 * @module The bare server, `floor.ts PORT HOW KV_FILE`: gives the answers that standard input has as JSON.
 */

/** `copy` clones a prebuilt answer, the least that Deno can do; `make` builds it anew; `read` also reads the
 * JSON body; `commit` also commits three keys to KV, the least of an intake. */
export type Floor = "copy" | "make" | "read" | "commit";

export interface FloorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

async function serve([port, how, file]: readonly string[]): Promise<void> {
  const kv = await Deno.openKv(file);
  const answers: FloorAnswer[] = await new Response(Deno.stdin.readable).json();
  const makers = answers.map(({ body, ...init }) => {
    const bytes = body === null ? null : Uint8Array.fromBase64(body);
    const made = new Response(bytes, init);
    return how === "copy" ? () => made.clone() : () => new Response(bytes, init);
  });
  let turn = 0;
  const respond = () => makers[turn++ % makers.length]!();
  const afterReading = async (request: Request) => {
    const lead = await request.json();
    const id = crypto.randomUUID();
    const write = kv.atomic().set(["lead", id], lead).set(["by_email", lead.email, id], null)
      .set(["client", request.headers.get("x-forwarded-for")!], Date.now());
    if (how === "commit") await write.commit();
    return respond();
  };
  const options = { hostname: "127.0.0.1", port: Number(port), onListen() {} };
  Deno.serve(options, how === "read" || how === "commit" ? afterReading : respond);
}

if (import.meta.main) await serve(Deno.args);
