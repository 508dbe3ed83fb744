/** @module Delivery to Slack and Mattermost, where text of a person stays text. */

import { deepStrictEqual as deepEqual, ok, strictEqual as equal } from "node:assert/strict";
import type { LeadContent } from "../../../leads/lead.ts";
import { deliver, recordOf } from "../../support/delivering.ts";
import { startReceiver } from "../../support/receiver.ts";

/** The text as it was written: without entities, zero-width spaces and look-alikes. */
function shown(text: string): string {
  return text.replaceAll("\u200B", "").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&").replace(/[∗ˋ∼＿]/g, (sign) => "*`~_"["∗ˋ∼＿".indexOf(sign)]!);
}

async function textOf(lead: Partial<LeadContent>): Promise<string> {
  let text = "";
  {
    await using receiver = startReceiver();
    const { url, received } = receiver;
    deepEqual(await deliver(`slack+${url}`, { record: recordOf(lead) }), { result: "ok" });
    const payload = JSON.parse(received[0]!.body);
    text = payload.text;
    deepEqual(payload, { text, unfurl_links: false, unfurl_media: false });
  }
  return text;
}

Deno.test("a lead is posted as text to an incoming webhook", async () => {
  equal(
    await textOf({ message: "Hello,\n\nwe need 50 seats.", plan: "enterprise" }),
    `New lead from Example GmbH
*Email address:* ada@example.com
*Company:* Example GmbH
*Plan:* Enterprise
*Language:* English
*Received:* 21 November 2026 at 12:00 UTC
*Lead:* ${recordOf().id}
*Message:*
> Hello,
> 
> we need 50 seats.`,
  );
});

/** Mentions, links, emphasis and lines, as Slack or Mattermost take them. */
const NASTY: readonly string[] = [
  "<!channel> <!here> <@U012AB3CD> <!subteam^S012AB3CD> <#C012AB3CD>",
  "<https://evil.example|our site> <!date^1392734382^{date}^https://evil.example/|x>",
  ...["&lt;!channel&gt; &amp;lt;", "@channel @all (@here) _@ada_ -@all .@here @@channel"],
  "[our site](https://evil.example) ![x](https://evil.example/x.png)",
  ...["[a][1] [1]: https://evil.example", `"\\" \\n`],
  "-@here ada+@all x.@channel mail:@here ä_.@all",
  "*Email:* **Email:** _Email:_ __Email:__ ***Email:*** a *",
  ...["` `` ``` ~ ~~ ~~~ ```x``` ~~x~~", ">>> > &gt;&gt;&gt; x", "# x | - | 1. - x |---|"],
];

/** Text that would show lines of its own, or end those above it. */
const LINES: readonly string[] = [
  ..."\n \r\n \r \v \f \x85 \u2028 \u2029 \n\n \n\r".split(" ")
    .map((end) => ["A", "*Email:* eve@example.com", "> B", "```", ""].join(end)),
  "\u202E:liamE\u202C \u2066A\u2069 \u200F\u061C", // right to left
  "&".repeat(2_000),
  "@".repeat(2_000),
  "\n".repeat(2_000),
];

Deno.test("text of a person stays text, on its own lines and within Mattermost's 16,383 characters", async () => {
  const labels = ["Email address", "Company", "Language", "Received", "Lead"];
  for (const words of [...LINES, ...NASTY]) {
    const text = await textOf({ company: `A${words.slice(0, 119)}`, message: words });
    ok([...text].length <= 16_383, words);
    const [head, message] = text.split("\n*Message:*\n");
    const quoted = message!.split(/[\n\r\v\f\x85\u2028\u2029]/);
    ok(quoted.every((line) => line.startsWith("> ")), words);
    const [title, ...rows] = head!.split("\n");
    deepEqual(rows.map((row) => /^\*([\w ]+):\* /.exec(row)?.[1]), labels, words);
    for (const line of [title!, ...rows.map((row) => row.replace(/^\*[\w ]+:\* /, ""))]) {
      equal(/[*`~]|_(?![\w@])|[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(line), false, line);
    }
    const written = text.replace(/^> /gm, "");
    equal(/[<>]|&(?!amp;|lt;|gt;)/.test(written), false, `a link or a mention of Slack: ${words}`);
    equal(/(?<![\p{L}\p{N}]_*)@[\p{L}\p{N}]/u.test(text), false, `a mention: ${words}`);
    equal(/\][(:[]/.test(text), false, `a link of Mattermost: ${words}`);
    if (NASTY.includes(words)) equal(shown(text).split(words).length, 4, "the text as written");
  }
});

Deno.test("an address with underscores can be copied", async () => {
  const text = await textOf({ email: "_ada_l_@example.com", message: "ada_@example.com" });
  ok(text.includes("*Email address:* _ada_l_@example.com\n"));
  ok(text.endsWith("> ada_@example.com"));
});
