/**
 * @module A real proxy in front of a service, by the configuration that `deploy/` gives readers.
 *
 * Only what has to differ on a test's machine is replaced: ports, names and paths. A replacement that
 * finds nothing is an error, so that the test does not go on with another configuration.
 */

import { makeCertificate } from "../../support/certificate.ts";
import { start } from "../../support/command.ts";
import { freePort, type Service, withFolder } from "../../support/service.ts";
import { until } from "../../support/until.ts";

const DEPLOY = new URL("../../../deploy/", import.meta.url);

/** A running proxy. */
export interface Proxy {
  /** Its public origin; the certificate is for `localhost`. */
  readonly origin: string;
  /** The same over plain HTTP. */
  readonly plainOrigin: string;
  /** The authority that its certificate is of, in PEM. */
  readonly authority: string;
  /** All that it has written to its logs and streams. */
  written(): Promise<string>;
}

/** Where a proxy has its things. */
interface Place {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly upstream: string;
}

/** A kind of proxy: its configuration on this machine, and its command line. */
interface Kind {
  readonly name: string;
  configure(place: Place): Promise<string>;
  command(place: Place): readonly string[];
}

type Replacement = readonly [what: string | RegExp, by: string];

/** A configuration file with parts replaced. */
async function adapt(file: string, replacements: readonly Replacement[]): Promise<string> {
  let text = await Deno.readTextFile(new URL(file, DEPLOY));
  for (const [what, by] of replacements) {
    const next = text.replaceAll(what, () => by);
    if (next === text) throw new Error(`Cannot adapt deploy/${file}: it has no ${what}`);
    text = next;
  }
  return text;
}

const NGINX: Kind = {
  name: "nginx",
  async configure({ folder, port, plainPort, upstream }) {
    const site = await adapt("nginx.conf", [
      [/^ *listen \[::\]:.*\n/gm, ""], // not every machine has IPv6
      ["listen 443", `listen 127.0.0.1:${port}`],
      ["listen 80", `listen 127.0.0.1:${plainPort}`],
      ["127.0.0.1:8000", upstream],
      ["/etc/letsencrypt/live/www.example.com", folder],
      ["/var/log/nginx", folder],
      ["/var/www/html", folder],
      ["server_name www.example.com", "server_name localhost"],
      ["www.example.com", `localhost:${port}`],
    ]);
    // Around it what an nginx.conf has that serves other sites too: it logs and compresses.
    return `pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log ${folder}/access.log;
  gzip on;
  gzip_types *;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${site}}
`;
  },
  command: ({ folder }) => [
    "nginx",
    ...["-p", folder],
    ...["-c", `${folder}/config`],
    ...["-e", `${folder}/error.log`],
    ...["-g", "daemon off;"],
  ],
};

const CADDY: Kind = {
  name: "caddy",
  configure: ({ folder, port, plainPort, upstream }) =>
    adapt("Caddyfile", [
      [/^\{\n/gm, `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n`],
      [
        /^www\.example\.com \{\n/gm,
        `localhost {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem\n`,
      ],
      ["www.example.com", `localhost:${port}`],
      ["127.0.0.1:8000", upstream],
    ]),
  command: (
    { folder },
  ) => ["caddy", "run", "--adapter", "caddyfile", "--config", `${folder}/config`],
};

/** The proxies that `deploy/` has a configuration for. */
export const KINDS: readonly Kind[] = [NGINX, CADDY];

/** A port for the proxy, known before the service is started: SITE_URL names it. */
export function originOn(port: number): string {
  return `https://localhost:${port}`;
}

/** Runs a test with a proxy in front of a service, and ends the proxy by its process id. */
export function withProxy(
  { kind, port, service }: {
    readonly kind: Kind;
    readonly port: number;
    readonly service: Pick<Service, "port">;
  },
  test: (proxy: Proxy) => Promise<void>,
): Promise<void> {
  return withFolder(async (folder) => {
    await Deno.chmod(folder, 0o755); // started by root, nginx works as another user
    const plainPort = freePort();
    const place = { folder, port, plainPort, upstream: `127.0.0.1:${service.port}` };
    const { cert, key, authority } = makeCertificate();
    await Deno.writeTextFile(`${folder}/fullchain.pem`, cert);
    await Deno.writeTextFile(`${folder}/privkey.pem`, key);
    await Deno.writeTextFile(`${folder}/config`, await kind.configure(place));
    const child = start(kind.command(place), {
      env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    try {
      await until(`${kind.name} listens`, () => {
        if (child.hasEnded()) throw new Error(`Cannot start ${kind.name}: ${child.output()}`);
        return listens(port);
      }, 10_000);
      const written = async () => child.output() + (await logs(folder)).join("");
      const plainOrigin = `http://localhost:${plainPort}`;
      await test({ origin: originOn(port), plainOrigin, authority, written });
    } finally {
      await child.end();
    }
  });
}

async function listens(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}

async function logs(folder: string): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  return await Promise.all(
    names.filter((name) => name.endsWith(".log")).map((name) =>
      Deno.readTextFile(`${folder}/${name}`)
    ),
  );
}
