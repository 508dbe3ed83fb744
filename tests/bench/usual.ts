/**
 * @module The usual stack: what a competent team writes in a day with Hono, its stock middleware and
 * zod-openapi. `usual.ts PORT KV_FILE` takes the contents as JSON on standard input, so that it
 * answers what the service answers. Only what is compared is here.
 */

import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { cors } from "@hono/hono/cors";
import { etag } from "@hono/hono/etag";
import { secureHeaders } from "@hono/hono/secure-headers";

/** What the service says. */
export interface UsualContents {
  readonly health: object;
  readonly site: object;
  /** HTML of the home page. */
  readonly home: string;
}

const [port, file] = Deno.args;
const contents: UsualContents = await new Response(Deno.stdin.readable).json();
const kv = await Deno.openKv(file);

const Lead = z.object({
  email: z.email().max(254),
  company: z.string().max(120),
  message: z.string().max(2000).optional(),
  plan: z.enum(["pro", "business", "enterprise", "hosted", "unspecified"]).optional(),
  locale: z.enum(["en", "de"]),
  website: z.string().max(0).optional(),
}).strict().openapi("LeadRequest");
const LeadResponse = z.object({ ok: z.boolean(), delivered: z.boolean() }).openapi("LeadResponse");
const ApiError = z.object({ code: z.string(), message: z.string() }).openapi("ApiError");
const Anything = z.record(z.string(), z.unknown());

function json(schema: z.ZodType, description: string) {
  return { content: { "application/json": { schema } }, description };
}

const app = new OpenAPIHono({
  defaultHook: (result, c) =>
    result.success ? undefined : c.json(
      { code: "invalid_lead", message: "This is not a lead.", details: result.error },
      400,
    ),
});
app.use(secureHeaders());
app.use(cors());
app.use(etag());
app.openapi(
  createRoute({ method: "get", path: "/api/health", responses: { 200: json(Anything, "Well") } }),
  (c) => c.json({ ...contents.health }, 200),
);
app.openapi(
  createRoute({ method: "get", path: "/api/site", responses: { 200: json(Anything, "Site") } }),
  (c) => c.json({ ...contents.site }, 200),
);
app.openapi(
  createRoute({
    method: "post",
    path: "/api/lead",
    request: { body: { content: { "application/json": { schema: Lead } }, required: true } },
    responses: { 200: json(LeadResponse, "Taken"), 400: json(ApiError, "No lead") },
  }),
  async (c) => {
    const lead = c.req.valid("json");
    const id = crypto.randomUUID();
    await kv.atomic()
      .set(["lead", id], lead)
      .set(["by_email", lead.email, id], null)
      .set(["due", Date.now(), id], null)
      .commit();
    return c.json({ ok: true, delivered: false }, 200);
  },
);
app.get("/", (c) => c.html(contents.home));
app.notFound((c) => c.json({ code: "not_found", message: "There is nothing here." }, 404));

Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen() {} }, app.fetch);
