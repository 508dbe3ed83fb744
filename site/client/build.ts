/**
 * @module Makes what the site serves of the client: the types of the OpenAPI document by
 * openapi-typescript, and the client as JavaScript with its declarations by TypeScript. A test
 * holds the files against the running service.
 */

// deno-lint-ignore-file no-console -- a program that prints

import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { openApiDocument } from "../../schemas/openapi.ts";

const ROOT = new URL("../../", import.meta.url);

const MADE = "Made by `deno task client`; do not edit.";

/** `deno doc` leaves out what has this in front: it is made, and the document says more. */
const IGNORED = "/**\n * From the OpenAPI document.\n *\n * @ignore\n */\n";

/** Where Deno finds the types; others look beside the file. */
const SELF = '// @ts-self-types="./client.d.ts"\n// @ts-nocheck: checked as TypeScript';

/** What is served, by name. */
export type ServedFiles = Readonly<Record<"api.d.ts" | "client.d.ts" | "client.js", string>>;

/** Makes the files. @param document an OpenAPI document as JSON */
export async function servedFiles(document: string): Promise<ServedFiles> {
  const types = astToString(await openapiTS(document));
  const source = await Deno.readTextFile(new URL("site/client/client.ts", ROOT));
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
    declaration: true,
    isolatedDeclarations: true,
  };
  const { outputText: js } = ts.transpileModule(source, { compilerOptions });
  const { outputText: dts } = ts.transpileDeclaration(source, { compilerOptions });
  return {
    "api.d.ts": await formatted(types.replaceAll(/^(?=export interface)/gm, IGNORED)),
    "client.d.ts": await formatted(dts.replaceAll('"../../static/assets/', '"./')),
    "client.js": await formatted(`${SELF}\n${js}`),
  };
}

/** As `deno fmt` has it, with the empty line before a comment that TypeScript leaves out. */
async function formatted(text: string): Promise<string> {
  const fmt = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--ext", "ts", "-"],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const input = new Blob([`// ${MADE}\n${text.replaceAll(/\n(?=\/\*\*)/g, "\n\n")}`]);
  const [{ success, stdout }] = await Promise.all([fmt.output(), input.stream().pipeTo(fmt.stdin)]);
  if (!success) throw new Error("Cannot make the client: `deno fmt` has failed");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  // What a document says of its place leaves no trace in types.
  const facts = { siteName: "", siteUrl: "https://www.example.com", localUrl: "" };
  const files = await servedFiles(JSON.stringify(openApiDocument(facts)));
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(new URL(`static/assets/${name}`, ROOT), text);
    console.log(`static/assets/${name}`);
  }
}
