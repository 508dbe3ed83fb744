/**
 * @module The usual stack, `usual.ts PORT KV_FILE`: Hono and zod-openapi; its content is on standard
 * input.
 */

import { cors } from "@hono/hono/cors";
import { etag } from "@hono/hono/etag";
import { secureHeaders } from "@hono/hono/secure-headers";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";

const [port, file] = Deno.args;
const { health, site, home } = await new Response(Deno.stdin.readable).json();
const kv = await Deno.openKv(file);

const Lead = z.strictObject({
  email: z.email().max(254),
  company: z.string().max(120),
  message: z.string().max(2000).optional(),
  plan: z.enum(["pro", "business", "enterprise", "hosted", "unspecified"]).optional(),
  locale: z.enum(["en", "de"]),
}).openapi("LeadRequest");

function json(schema: z.ZodType = z.looseObject({})) {
  return { content: { "application/json": { schema } }, description: "JSON" };
}

const app = new OpenAPIHono();
app.use(secureHeaders(), cors(), etag());
for (const [path, content] of [["/api/health", health], ["/api/site", site]]) {
  const route = createRoute({ method: "get", path, responses: { 200: json() } });
  app.openapi(route, (c) => c.json({ ...content }, 200));
}
const request = { body: { ...json(Lead), required: true } };
const responses = { 200: json(), 400: json() };
app.openapi(createRoute({ method: "post", path: "/api/lead", request, responses }), async (c) => {
  const lead: z.infer<typeof Lead> = await c.req.json();
  const id = crypto.randomUUID();
  await kv.atomic().set(["lead", id], lead).set(["by_email", lead.email, id], null)
    .set(["due", Date.now(), id], null)
    .commit();
  return c.json({ ok: true, delivered: false }, 200);
});
app.get("/", (c) => c.html(home));
app.notFound((c) => c.json({ code: "not_found", message: "There is nothing here." }, 404));

Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen() {} }, app.fetch);
