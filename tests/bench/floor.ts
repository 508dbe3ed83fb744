/**
 * @module The floor: a bare `Deno.serve` that gives one answer, or several by turns, and decides
 * nothing.
 *
 * `floor.ts PORT` takes the answers as a JSON array on standard input and makes each anew;
 * `floor.ts PORT copies` hands out copies of one that never changes, which is the least that Deno 2.9
 * can do. `floor.ts PORT KV_FILE` reads the JSON body first and does one KV commit of
 * three sets: the least that an intake has to do.
 */

/** In place of a file. */
export const COPIES = "copies";

/** The answer as it is handed over. */
export interface FloorAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** base64; `null` for an answer without body. */
  readonly body: string | null;
}

function plain({ status, headers, body }: FloorAnswer): () => Response {
  const bytes = body === null ? null : Uint8Array.fromBase64(body);
  const init = { status, headers };
  return () => new Response(bytes, init);
}

function copied({ status, headers, body }: FloorAnswer): () => Response {
  const bytes = body === null ? null : Uint8Array.fromBase64(body);
  const made = new Response(bytes, { status, headers });
  return () => made.clone();
}

function byTurns(answers: readonly FloorAnswer[]): () => Response {
  const all = answers.map(plain);
  if (all.length === 1) return all[0]!;
  let turn = 0;
  return () => all[turn++ % all.length]!();
}

async function committing(
  respond: () => Response,
  file: string,
): Promise<(request: Request) => Promise<Response>> {
  const kv = await Deno.openKv(file);
  return async (request) => {
    const lead = await request.json();
    const id = crypto.randomUUID();
    const { ok } = await kv.atomic()
      .set(["lead", id], lead)
      .set(["by_email", lead.email, id], null)
      .set(["client", request.headers.get("x-forwarded-for") ?? ""], Date.now())
      .commit();
    return ok ? respond() : new Response(null, { status: 502 });
  };
}

if (import.meta.main) {
  const [port, how] = Deno.args;
  const answers: FloorAnswer[] = await new Response(Deno.stdin.readable).json();
  const handler = how === undefined
    ? byTurns(answers)
    : how === COPIES
    ? copied(answers[0]!)
    : await committing(byTurns(answers), how);
  Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen() {} }, handler);
}
