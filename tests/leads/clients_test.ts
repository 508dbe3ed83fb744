/** @module What is remembered of clients: bounded, the longest unseen forgotten first. */

import { strictEqual as equal } from "node:assert/strict";
import { Clients, inTurn } from "../../leads/clients.ts";

Deno.test("a client seen again is the same, with its counts", () => {
  const clients = new Clients(2);
  clients.of("a").leads = 7;
  equal(clients.of("a").leads, 7);
});

Deno.test("to look for a client leaves nothing, and finds who was there", () => {
  const clients = new Clients(2);
  equal(clients.find("a"), undefined);
  equal(clients.size, 0);
  equal(clients.find("a"), undefined);
  equal(clients.of("a"), clients.find("a"));
});

Deno.test("no more clients are remembered than the bound, and who comes often stays", () => {
  const clients = new Clients(10);
  for (const address of ["often", "once"]) clients.of(address).leads = 7;
  for (let n = 0; n < 100; n++) {
    clients.of(String(n));
    equal(clients.of("often").leads, 7);
    equal(clients.size <= 10, true);
  }
  equal(clients.of("once").leads, 0);
});

Deno.test("the last half of the bound is always remembered", () => {
  const clients = new Clients(10);
  for (let n = 0; n < 100; n++) {
    clients.of(String(n)).leads = n;
    for (let last = Math.max(0, n - 4); last <= n; last++) {
      equal(clients.of(String(last)).leads, last);
    }
  }
});

Deno.test("a million addresses leave the bound in memory", () => {
  const clients = new Clients();
  for (let n = 0; n < 1_000_000; n++) clients.of(String(n));
  equal(clients.size <= 100_000, true);
});

Deno.test("one client's work is done in turn, also after work that failed", async () => {
  const client = new Clients().of("a");
  const order: number[] = [];
  async function work(n: number): Promise<void> {
    await Promise.resolve();
    order.push(n);
    if (n === 1) throw new Error("one fails");
  }
  const all = await Promise.allSettled([1, 2, 3].map((n) => inTurn(client, () => work(n))));
  equal(order.join(), "1,2,3");
  equal(client.turn, undefined);
  equal(all.map(({ status }) => status).join(), "rejected,fulfilled,fulfilled");
});
