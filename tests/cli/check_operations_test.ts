/** @module A route without an operation, and an operation without a route, are named by file and line. */

import { deepStrictEqual as deepEqual } from "node:assert/strict";
import { operationProblems, problemsOfRoutes } from "../../cli/check_operations.ts";
import { parseConfig } from "../../config/config.ts";

const SOURCE = '\n  // API\n  app.get("/api/a", a());\n  app.post("/api/b", b());\n';

Deno.test("the routes of the API are the operations of the document", async () => {
  deepEqual(await operationProblems(parseConfig({})), []);
  const routes = [["GET", "/api/a"], ["POST", "/api/b"], ["POST", "/api/b"], ["GET", "/c"]]
    .map(([method, path]) => ({ method: method!, path: path! }));
  const paths = { "/api/a": { get: {}, put: {} }, "/d.json": { get: {} } };
  deepEqual(problemsOfRoutes(routes, { paths, source: SOURCE }), [
    "routes/app.ts:2: the operation PUT /api/a of schemas/operations/ has no route here",
    "routes/app.ts:2: the operation GET /d.json of schemas/operations/ has no route here",
    "routes/app.ts:4: POST /api/b is no operation of schemas/operations/",
  ]);
});
