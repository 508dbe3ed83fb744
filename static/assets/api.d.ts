// Made by `deno task client`; do not edit.
/**
 * From the OpenAPI document.
 *
 * @ignore
 */
export interface paths {
  "/api/health": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Liveness probe
     * @description Answers as long as the process does. Returns no product data.
     */
    get: operations["getHealth"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/site": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Site index
     * @description Brand, public pages, discovery documents, and the statement that the product API is not on this host.
     */
    get: operations["getSiteIndex"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/lead": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a lead
     * @description Takes an enquiry. Does not create a tenant and is not a product signup. A 200 is a promise that the lead is held; after a 502 send it again. The same lead sent again within 24 hours is the same lead. Addresses under the reserved top-level domain `.invalid` go the whole way but are neither stored nor delivered: use them for tests. Limited per client address; see the RateLimit headers.
     */
    post: operations["createLead"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/openapi.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * This description as JSON
     * @description The canonical API description.
     */
    get: operations["getOpenApiJson"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/openapi.yaml": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * This description as YAML
     * @description The same value as `/openapi.json`, in YAML 1.2.
     */
    get: operations["getOpenApiYaml"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;

/**
 * From the OpenAPI document.
 *
 * @ignore
 */
export interface components {
  schemas: {
    /**
     * @example {
     *       "error": {
     *         "code": "invalid_lead",
     *         "message": "The body is not a valid LeadRequest.",
     *         "hint": "Correct what details.issues names; the schema is in https://www.example.com/openapi.json.",
     *         "docs": "https://www.example.com/developers",
     *         "details": {
     *           "issues": [
     *             {
     *               "path": "/locale",
     *               "rule": "enum",
     *               "message": "Must be one of: en, de."
     *             }
     *           ]
     *         }
     *       }
     *     }
     */
    ApiError: {
      error: {
        /**
         * @description Stable, machine-readable; codes may be added.
         *
         *     - `bad_host` (400): The Host header does not name a host.
         *     - `invalid_json` (400): The body is not JSON in UTF-8.
         *     - `unsupported_media_type` (400): The body is not declared as JSON.
         *     - `body_too_large` (400): The body is larger than this service reads.
         *     - `body_too_slow` (400): The body did not arrive in time.
         *     - `invalid_lead` (400): The body is not a valid LeadRequest.
         *     - `not_found` (404): There is no such API path.
         *     - `method_not_allowed` (405): This path does not answer that method.
         *     - `rate_limited` (429): Too many requests from this address.
         *     - `internal_error` (500): Something went wrong on our side.
         *     - `lead_not_stored` (502): Neither storing nor delivering the lead could be confirmed.
         */
        code: string;
        /** @description What happened, for people. */
        message: string;
        /** @description What to do next: valid methods, schema or discovery URLs. */
        hint: string;
        /**
         * Format: uri
         * @description The developer resources of this host.
         */
        docs: string;
        /** @description Structured details, such as the validation issues. Never what was sent. */
        details?: unknown;
      };
    };
    /**
     * @example {
     *       "ok": true,
     *       "name": "Example",
     *       "service": "example-frontdoor",
     *       "status": "healthy"
     *     }
     */
    Health: {
      ok: boolean;
      /** @description The site's name. */
      name: string;
      /** @description The service's identifier. */
      service: string;
      /** @description A status word. */
      status: string;
    };
    /**
     * @example {
     *       "email": "ada@example.com",
     *       "company": "Example GmbH",
     *       "message": "We would like to see the approvals at work.",
     *       "plan": "enterprise",
     *       "locale": "en"
     *     }
     */
    LeadRequest: {
      /** Format: email */
      email: string;
      company: string;
      message?: string;
      /** @enum {string} */
      plan?: "pro" | "business" | "enterprise" | "hosted" | "unspecified";
      /** @enum {string} */
      locale: "en" | "de";
      /** @description Honeypot: leave it out, or empty. */
      website?: string;
    };
    /**
     * @example {
     *       "ok": true,
     *       "delivered": true
     *     }
     */
    LeadResponse: {
      ok: boolean;
      /** @description true: every target has acknowledged the lead. false: not all have yet, or there is none. */
      delivered: boolean;
    };
    /**
     * @example {
     *       "name": "Example",
     *       "url": "https://www.example.com",
     *       "kind": "marketing-site",
     *       "description": "Marketing and discovery site of an enterprise AI agent platform.",
     *       "resources": {
     *         "home": "https://www.example.com/",
     *         "llms": "https://www.example.com/llms.txt"
     *       },
     *       "productApi": {
     *         "status": "not-on-this-host",
     *         "note": "The product API is a separate application that this host does not serve."
     *       }
     *     }
     */
    SiteIndex: {
      name: string;
      /** Format: uri */
      url: string;
      /** @description What kind of site this is. */
      kind: string;
      description?: string;
      /** @description Public pages and discovery documents: name to URL. */
      resources: {
        [key: string]: string;
      };
      /** @description States that the product API is not on this host. */
      productApi: {
        status?: string;
        note?: string;
      } & {
        [key: string]: unknown;
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: {
    /**
     * @description Any origin may read this answer.
     * @example *
     */
    "Access-Control-Allow-Origin": string;
    /**
     * @description What a script on another origin may read.
     * @example RateLimit, RateLimit-Policy, Retry-After, X-Request-Id
     */
    "Access-Control-Expose-Headers": string;
    /**
     * @description The methods that the path answers (RFC 9110 §10.2.1).
     * @example GET, HEAD, OPTIONS
     */
    Allow: string;
    /**
     * @description How long the answer may be kept (RFC 9111 §5.2).
     * @example no-store
     */
    "Cache-Control": string;
    /**
     * @description How the answer is compressed, where it is (RFC 9110 §8.4).
     * @example br
     */
    "Content-Encoding": string;
    /**
     * @description Nothing in the answer may run (CSP Level 3).
     * @example default-src 'none'; frame-ancestors 'none'
     */
    "Content-Security-Policy": string;
    /**
     * @description Any site may load the answer (Fetch).
     * @example cross-origin
     */
    "Cross-Origin-Resource-Policy": string;
    /**
     * @description Entity tag of the representation (RFC 9110 §8.8.3).
     * @example "5f2ab0c1d3e4f607"
     */
    ETag: string;
    /**
     * @description For each limit what is left (r) and the seconds until one request more is admitted (t).
     * @example "lead";r=19;t=30, "attempt";r=119;t=1
     */
    RateLimit: string;
    /**
     * @description The limits: requests (q) within seconds (w).
     * @example "lead";q=20;w=600, "attempt";q=120;w=60
     */
    "RateLimit-Policy": string;
    /**
     * @description What a browser tells the next site (Referrer Policy).
     * @example strict-origin-when-cross-origin
     */
    "Referrer-Policy": string;
    /**
     * @description Seconds to wait before the next try (RFC 9110 §10.2.3).
     * @example 30
     */
    "Retry-After": number;
    /**
     * @description Where the site is on https (RFC 6797).
     * @example max-age=63072000
     */
    "Strict-Transport-Security": string;
    /**
     * @description The request fields that chose this form of the answer (RFC 9110 §12.5.5).
     * @example Accept-Encoding
     */
    Vary: string;
    /**
     * @description The media type is meant as sent (Fetch).
     * @example nosniff
     */
    "X-Content-Type-Options": string;
    /**
     * @description Names this request in the service's log.
     * @example 4f6c1b0e-6c4e-4a8e-9f59-3c1f6a2d7b10
     */
    "X-Request-Id": string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;

/**
 * From the OpenAPI document.
 *
 * @ignore
 */
export interface operations {
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The service is up. */
      200: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Health"];
        };
      };
      /** @description The path does not answer this method. */
      405: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          Allow: components["headers"]["Allow"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiError"];
        };
      };
    };
  };
  getSiteIndex: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The site index. */
      200: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          ETag: components["headers"]["ETag"];
          Vary: components["headers"]["Vary"];
          "Content-Encoding": components["headers"]["Content-Encoding"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SiteIndex"];
        };
      };
      /** @description The path does not answer this method. */
      405: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          Allow: components["headers"]["Allow"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiError"];
        };
      };
    };
  };
  createLead: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description At most 64 KiB, sent within 10 seconds. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["LeadRequest"];
      };
    };
    responses: {
      /** @description The lead is taken; `delivered` tells whether every target has it already. */
      200: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LeadResponse"];
        };
      };
      /** @description The body is not a LeadRequest in JSON. */
      400: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiError"];
        };
      };
      /** @description The path does not answer this method. */
      405: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          Allow: components["headers"]["Allow"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiError"];
        };
      };
      /** @description The client has used up one of its limits. */
      429: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          "Retry-After": components["headers"]["Retry-After"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiError"];
        };
      };
      /** @description Neither storing nor delivering could be confirmed: send the lead again. */
      502: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
          RateLimit: components["headers"]["RateLimit"];
          "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
          "X-Request-Id": components["headers"]["X-Request-Id"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiError"];
        };
      };
    };
  };
  getOpenApiJson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description This document. */
      200: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          ETag: components["headers"]["ETag"];
          Vary: components["headers"]["Vary"];
          "Content-Encoding": components["headers"]["Content-Encoding"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "openapi": "3.1.1",
           *       "info": {
           *         "title": "…",
           *         "version": "1.0.0"
           *       }
           *     }
           */
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  getOpenApiYaml: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description This document. */
      200: {
        headers: {
          "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
          "Cache-Control": components["headers"]["Cache-Control"];
          "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
          "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
          "Referrer-Policy": components["headers"]["Referrer-Policy"];
          "Strict-Transport-Security": components["headers"]["Strict-Transport-Security"];
          "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
          ETag: components["headers"]["ETag"];
          Vary: components["headers"]["Vary"];
          "Content-Encoding": components["headers"]["Content-Encoding"];
          [name: string]: unknown;
        };
        content: {
          /** @example openapi: 3.1.1 */
          "application/yaml": string;
        };
      };
    };
  };
}
