/** @module Runs nginx and Caddy with the configurations of `deploy/`; ports, names and paths are replaced. */

import { makeCertificate } from "../../support/certificate.ts";
import { run, start } from "../../support/command.ts";
import { freePort, type Service, untilListens, withFolder } from "../../support/service.ts";

export interface Proxy {
  readonly origin: string;
  readonly plainOrigin: string;
  readonly authority: string;
  written(): Promise<string>;
}

interface Place extends Readonly<Record<"port" | "plainPort", number>> {
  readonly folder: string;
  /** The addresses of three services; a proxy may use only the first. */
  readonly upstreams: readonly string[];
}

interface Kind {
  readonly name: string;
  readonly config: (place: Place) => Promise<string>;
  readonly command: readonly string[];
}

const NGINX: Kind = {
  name: "nginx",
  // Like an nginx.conf that serves other sites too: with a log and compression.
  config: async ({ folder, port, plainPort, upstreams: [upstream = ""] }) =>
    `pid nginx.pid;
events { worker_connections 512; }
http {
  access_log access.log;
  gzip on;
  gzip_types *;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
${await adapted("nginx.conf", [
      [/^ *listen \[::\]:.*\n/gm, ""], // not every machine has IPv6
      [/listen 443/g, `listen 127.0.0.1:${port}`],
      [/listen 80/g, `listen 127.0.0.1:${plainPort}`],
      [/127\.0\.0\.1:8000/g, upstream],
      [/\/etc\/letsencrypt\/live\/www\.example\.com/g, folder],
      [/\/var\/log\/nginx/g, folder],
      [/server_name www\.example\.com/g, "server_name localhost"],
      [/www\.example\.com/g, `localhost:${port}`],
    ])}}`,
  command: ["nginx", "-p", ".", "-c", "config", "-e", "error.log", "-g", "daemon off;"],
};

const RUN_CADDY = ["caddy", "run", "--adapter", "caddyfile", "--config", "config"];

/** Global options, and a certificate instead of one from the internet. */
function caddyOptions({ port, plainPort }: Place, site: RegExp): readonly [RegExp, string][] {
  return [
    [/^\{\n/gm, `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n`],
    [site, "localhost {\n\ttls fullchain.pem privkey.pem\n"],
  ];
}

const CADDY: Kind = {
  name: "caddy",
  config: (place) =>
    adapted("Caddyfile", [
      ...caddyOptions(place, /^www\.example\.com \{\n/gm),
      [/www\.example\.com/g, `localhost:${place.port}`],
      [/127\.0\.0\.1:8000/g, place.upstreams[0]!],
    ]),
  command: RUN_CADDY,
};

export const COMPOSE: Kind = {
  name: "caddy in compose.yaml",
  config: (place) =>
    adapted("Caddyfile.compose", [
      ...caddyOptions(place, /^\{\$SITE_URL\} \{\n/gm),
      ...place.upstreams.map((one, n) => [RegExp(`frontdoor-${n + 1}:8000`, "g"), one] as const),
    ]),
  command: RUN_CADDY,
};

export const KINDS: readonly Kind[] = [NGINX, CADDY, COMPOSE];

async function adapted(
  file: string,
  replacements: readonly (readonly [RegExp, string])[],
): Promise<string> {
  const text = await Deno.readTextFile(new URL(`../../../deploy/${file}`, import.meta.url));
  return replacements.reduce((text, [what, by]) => {
    if (text.search(what) < 0) throw new Error(`Cannot adapt deploy/${file}: it has no ${what}`);
    return text.replaceAll(what, () => by);
  }, text);
}

export function withProxy(
  { kind: { config, command }, port, services }: {
    readonly kind: Kind;
    readonly port: number;
    readonly services: readonly Pick<Service, "port">[];
  },
  test: (proxy: Proxy) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    await Deno.chmod(folder, 0o755); // nginx drops root
    const plainPort = freePort();
    const { cert, key, authority } = makeCertificate();
    const upstreams = [0, 1, 2].map((n) => `127.0.0.1:${(services[n] ?? services[0]!).port}`);
    const place: Place = { folder, port, plainPort, upstreams };
    const files = { "fullchain.pem": cert, "privkey.pem": key, config: await config(place) };
    for (const [file, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${file}`, text);
    }
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const child = start(command, { cwd: folder, env });
    const [origin, plainOrigin] = [`https://localhost:${port}`, `http://localhost:${plainPort}`];
    const logs = ["sh", "-c", "cat *.log || true"]; // Caddy writes none
    const written = async () => child.output() + (await run(logs, { cwd: folder })).out;
    try {
      await untilListens(port, child);
      await test({ origin, plainOrigin, authority, written });
    } finally {
      await child.end();
    }
  });
}
