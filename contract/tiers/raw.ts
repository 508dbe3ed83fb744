/**
 * @module What fetch will not send, over sockets: odd methods and targets, lying lengths, abused
 * chunks, messages that break off or never end, floods, several requests at once. The rows are in
 * `raw.yaml`; what a platform answers before a service is asked is written down there as such.
 */

import type { Exchange } from "../exchange.ts";
import { messageOf } from "../raw/message.ts";
import { platformOf } from "../raw/wire.ts";
import { needsPlatform, parseRawFile, type RawFile, type RawRow } from "../raw/rows.ts";
import { aliveAmong, type Ask, usualTime } from "../raw/survival.ts";
import { type Place, talk } from "../raw/talk.ts";
import { asAnswer, finalAnswers, isOfPlatform, matches, rowFaults } from "../raw/verdict.ts";
import type { Session, Tier } from "../session.ts";
import { exampleBody } from "./example_call.ts";

const NAME = "raw";

/** Rows that are under way at a time, beside those that are about waiting. */
const LANES = 6;

/** HTTP over sockets. */
export const rawTier: Tier = {
  name: NAME,
  tries: "over sockets: methods, targets, lengths, chunks, stalls, floods, pipelining",
  live: false,
  waits: true,
  unable({ base }) {
    return new URL(base).pathname === "/" ? undefined : "the service stands below a path";
  },
  async run(session) {
    const text = await Deno.readTextFile(new URL("raw.yaml", session.cases)).catch(() => undefined);
    if (text === undefined) return session.note(NAME, "there is no raw.yaml");
    await runFile(session, parseRawFile(text));
  },
};

/** Sends every row that the platform behind the session allows. */
export async function runFile(session: Session, file: RawFile): Promise<void> {
  const { base, law } = session;
  const platform = await platformOf(session);
  const all = Object.entries(file.cases).flatMap(([category, rows]) =>
    rows.map((row) => ({ category, row }))
  );
  const able = all.filter(({ row }) => !needsPlatform(row) || platform === (row.platform ?? DENO));
  const place: Place = {
    base,
    host: new URL(base).host,
    probe: file.probe,
    matches: (way, answers) => matches(way, answers, law.profile.errors?.code),
  };
  const ask: Ask = async () => {
    const call = { method: "GET", path: file.probe };
    return (await session.send(call, { tier: NAME, title: "the probe" })).answer.ms;
  };
  const usual = await usualTime(ask);
  let done = 0;
  let limited = 0;
  async function runOne(one: Categorised): Promise<void> {
    if (await runRow(session, { ...one, file, place }) === "limited") limited++;
    session.progress(NAME, ++done, able.length);
  }
  // Those that wait go on in the background, so that the tier takes little longer than one of them.
  const slow = able.filter(({ row }) => row.seconds !== undefined);
  const queue = able.filter(({ row }) => row.seconds === undefined);
  async function lane(): Promise<void> {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await runOne(one);
  }
  await Promise.all([...slow.map(runOne), ...Array.from({ length: LANES }, lane)]);
  for (const message of await aliveAmong(place, { ask, usual })) {
    session.report({ check: "raw_survival", tier: NAME, where: `GET ${file.probe}`, message });
  }
  const left = all.length - able.length;
  note(session, { platform, able: able.map(({ row }) => row), left, limited });
}

/** The platform of rows that `by: platform` alone binds to one. */
const DENO = "deno";

interface Categorised {
  readonly category: string;
  readonly row: RawRow;
}

async function runRow(
  session: Session,
  { category, row, file, place }: Categorised & {
    readonly file: RawFile;
    readonly place: Place;
  },
): Promise<"judged" | "limited"> {
  const { document, profile } = session.law;
  const operation = document.operations.find(({ id }) => id === file.operation);
  const body = operation === undefined ? undefined : exampleBody(session, operation)?.value;
  const filling = { host: place.host, lead: JSON.stringify(body ?? {}) };
  const message = messageOf(row, { requests: file.requests, filling });
  const heard = await talk(row, { message, place });
  const exchanges = finalAnswers(heard).flatMap((answer, index): Exchange[] => {
    const call = message.calls[index];
    if (call === undefined || isOfPlatform(answer)) return [];
    const purpose = { tier: NAME, title: row.title };
    return [{ base: session.base, call, answer: asAnswer(answer, heard.ms), ...purpose }];
  });
  for (const exchange of exchanges) session.take(exchange);
  // A foreign service may be limited; what it then says proves nothing of the row.
  const isLimited = exchanges.some(({ answer }) => answer.status === 429);
  if (isLimited && session.launcher === undefined) return "limited";
  for (const fault of rowFaults(row, heard, profile.errors?.code)) {
    const text = `${row.title}: ${fault}`;
    const exchange = exchanges.at(-1);
    session.report({ check: "raw", tier: NAME, where: category, message: text, exchange });
  }
  return "judged";
}

/** What people should know who read the report. */
function note(session: Session, { platform, able, left, limited }: {
  readonly platform: string | undefined;
  readonly able: readonly RawRow[];
  readonly left: number;
  readonly limited: number;
}): void {
  const own = able.filter(({ by }) => by === "platform").length;
  const lenient = able.filter(({ deviates }) => deviates !== undefined).length;
  const what = platform === undefined ? "" : `, ${own} of them answered by ${platform} itself`;
  session.note(NAME, `${able.length} rows${what}`);
  if (lenient > 0) session.note(NAME, `${lenient} rows are as they are, not as a standard asks`);
  if (limited > 0) session.note(NAME, `${limited} rows not judged: they met the service's limit`);
  if (left > 0) session.note(NAME, `${left} rows not sent: another server answers the sockets`);
}
