// Made by `npm run api-types` from docs/openapi.json.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests would be served */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prometheus metrics */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Embed texts
         * @description The order of the answers is that of the texts. Texts that this organization has sent before come from its cache; where all do, the request is not counted, and is answered even when the quota is used up.
         */
        post: operations["createEmbeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The served models */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organization’s quota, and this month’s usage
         * @description `totals` are of all the organization’s keys, `key` is the share of the key that asks.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An organization and its quota */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations/{org_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys of an organization, newest first */
        get: operations["listKeys"];
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
export interface components {
    schemas: {
        Embedding: {
            /** @enum {string} */
            object: "embedding";
            /** @description The text’s place in `input`. */
            index: number;
            /** @description A unit vector. */
            embedding: number[] | string;
        };
        /** @description Unknown fields are ignored. */
        EmbeddingsRequest: {
            /** @description One text, or 1 to 2048, none of them empty. Token arrays are refused. */
            input: string | string[];
            /** @description The served model’s name, as `GET /v1/models` tells it; any other is an error. */
            model?: string;
            /**
             * @description `base64`: the vector’s bytes, little-endian float32.
             * @default float
             * @enum {string}
             */
            encoding_format: "float" | "base64";
            /** @description Cut to this many dimensions, then normalised again. At most the model’s own. */
            dimensions?: number;
            /** @description Accepted for compatibility, and not kept. */
            user?: string;
            /**
             * @description For models with prompts; the built-in model has none.
             * @default document
             * @enum {string}
             */
            input_type: "query" | "document";
            /**
             * @description `false`: a text over the model’s limit is an error, not cut.
             * @default true
             */
            truncate: boolean;
        };
        EmbeddingsResponse: {
            /** @enum {string} */
            object: "list";
            /** @description One for each text, in order. */
            data: components["schemas"]["Embedding"][];
            /** @description The model that made the vectors. */
            model: string;
            usage: components["schemas"]["TokenUsage"];
            /** @description True exactly when nothing was computed for this request; it was then not counted. */
            cached: boolean;
        };
        Error: {
            /**
             * @description Which error: for programs.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_api_key" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "rate_limit_exceeded" | "internal_error" | "overloaded" | "unavailable";
            /** @description What is wrong, and what to do: for people. Its words may change. */
            message: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            time: string;
            version: string;
        };
        /** @description An API key, without its secret. */
        Key: {
            key_id: string;
            org_id: string;
            /** @description Whom the key belongs to. */
            user_id: string;
            /** @description What it is for. */
            name: string;
            /**
             * @description `revoked` is final.
             * @enum {string}
             */
            status: "active" | "revoked";
            /** @description `sk_…` and the last four characters. */
            hint: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
            revoked_at: string | null;
        };
        KeyList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Key"][];
        };
        /** @description This key’s own share of the month. */
        KeyUsage: {
            key_id: string;
            /** @description Requests that the quota was charged for. */
            counted: number;
            /** @description Requests answered without computing, not counted. */
            cached: number;
            /** @description Requests that failed or were refused, not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
        };
        Model: {
            /** @description Its name in requests and answers. */
            id: string;
            /** @enum {string} */
            object: "model";
            /** @description When this service started, in seconds since the Unix epoch. */
            created: number;
            owned_by: string;
            /** @description The size of its vectors. */
            dimensions: number;
            /** @description Tokens of one text that it reads. */
            max_input_tokens: number;
        };
        ModelList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        /** @description The same error in the shape of OpenAI’s API. */
        OpenAIError: {
            error: {
                message: string;
                /** @description The kind of error, in OpenAI’s words. */
                type: string;
                param: string | null;
                /** @enum {string} */
                code: "invalid_request" | "invalid_api_key" | "forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "rate_limit_exceeded" | "internal_error" | "overloaded" | "unavailable";
            };
        };
        Organization: {
            org_id: string;
            name: string;
            /** @enum {string} */
            tier: "free" | "pro" | "scale" | "enterprise";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            quota: components["schemas"]["Quota"];
        };
        Quota: {
            limit: number | null;
            /** @description Requests counted in this window. */
            used: number;
            remaining: number | null;
            /**
             * @description A calendar window, in UTC.
             * @enum {string}
             */
            window: "second" | "minute" | "hour" | "day" | "month";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            resets_at: string;
        };
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            /** @description What is not ready. */
            not_ready: string[];
        };
        TokenUsage: {
            /** @description Tokens of all texts, as the model read them. */
            prompt_tokens: number;
            /** @description The same. */
            total_tokens: number;
        };
        Usage: {
            org_id: string;
            limit: number | null;
            /** @description Requests counted in this window. */
            used: number;
            remaining: number | null;
            /**
             * @description A calendar window, in UTC.
             * @enum {string}
             */
            window: "second" | "minute" | "hour" | "day" | "month";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            resets_at: string;
            /** @description The calendar month that the figures are of, YYYY-MM, UTC. */
            month: string;
            totals: components["schemas"]["UsageTotals"];
            key: components["schemas"]["KeyUsage"];
        };
        /** @description Of all keys, in this month. */
        UsageTotals: {
            /** @description Requests that the quota was charged for. */
            counted: number;
            /** @description Requests answered without computing, not counted. */
            cached: number;
            /** @description Requests that failed or were refused, not counted. */
            failed: number;
            /** @description Texts in the answered requests. */
            texts: number;
            /** @description Tokens in the answered requests. */
            tokens: number;
        };
    };
    responses: {
        /** @description Malformed JSON, or a field that is wrong; the message names it. Never counted. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_request",
                 *       "message": "input is missing: send a string or an array of strings"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The key is missing, malformed, unknown, revoked or expired; the message never says which. */
        InvalidApiKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "invalid_api_key",
                 *       "message": "Invalid API key"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description No such organization, or one that this key does not belong to: the two look the same. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "not_found",
                 *       "message": "No such organization"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The request took longer than 60 seconds to arrive. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "request_timeout",
                 *       "message": "The request took too long to arrive"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The body has more than 4 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "payload_too_large",
                 *       "message": "The body is too large"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The body is not sent as `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "unsupported_media_type",
                 *       "message": "Send the body as application/json"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description The organization’s quota is used up. What is cached is answered all the same, and other requests again from `X-RateLimit-Reset` on. */
        RateLimitExceeded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                "x-should-retry": components["headers"]["x-should-retry"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "rate_limit_exceeded",
                 *       "message": "Monthly quota exhausted. Resets on 2026-12-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description A defect of the service. Never counted. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "internal_error",
                 *       "message": "Something went wrong on our side"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
        /** @description `overloaded`: too many texts are waiting. `unavailable`: the database or the model does not answer. Try again after `Retry-After`. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "overloaded",
                 *       "message": "Too many texts are waiting. Try again later."
                 *     }
                 */
                "application/json": components["schemas"]["Error"] | components["schemas"]["OpenAIError"];
            };
        };
    };
    parameters: {
        /** @description The shape of errors: `openai` is that of OpenAI’s API. */
        ErrorFormat: "flat" | "openai";
        /** @description A name for this request, which comes back and stands in the log. */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The request’s own id where it sent one of at most 64 letters, digits, `_`, `.`, `:` and `-`; else a new one.
         * @example 5b0f7a0e-6a55-4a86-9c42-8f3f1d1c5f0e
         */
        "X-Request-Id": string;
        /**
         * @description Requests a window; 9007199254740991: unlimited.
         * @example 10000
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in this window; 9007199254740991: unlimited.
         * @example 9877
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description When the window ends and the next one begins, UTC.
         * @example 2026-12-01T00:00:00Z
         */
        "X-RateLimit-Reset": string;
        /**
         * @description draft-ietf-httpapi-ratelimit-headers: the window’s name, its quota and its seconds.
         * @example "monthly";q=10000;w=2592000
         */
        "RateLimit-Policy": string;
        /**
         * @description The same draft: what remains, and the seconds until the reset.
         * @example "monthly";r=9877;t=86400
         */
        RateLimit: string;
        /**
         * @description Seconds after which a retry makes sense.
         * @example 86400
         */
        "Retry-After": number;
        /**
         * @description How to authenticate: by a bearer token, the API key.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description `false` where the reset is more than a minute away: OpenAI’s SDKs then do not retry.
         * @example false
         */
        "x-should-retry": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
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
            /** @description The process lives. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "time": "2026-11-01T09:30:00.000Z",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests would be served. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "not_ready": []
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Requests would not be served now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "not_ready",
                     *       "not_ready": [
                     *         "database"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus’ text format. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    createEmbeddings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Unknown fields are ignored. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description The vectors of all texts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "object": "embedding",
                     *           "index": 0,
                     *           "embedding": [
                     *             0.018542,
                     *             -0.061133,
                     *             0.032718
                     *           ]
                     *         }
                     *       ],
                     *       "model": "universal-sentence-encoder-lite",
                     *       "usage": {
                     *         "prompt_tokens": 5,
                     *         "total_tokens": 5
                     *       },
                     *       "cached": false
                     *     }
                     */
                    "application/json": components["schemas"]["EmbeddingsResponse"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidApiKey"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One model: the served one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "universal-sentence-encoder-lite",
                     *           "object": "model",
                     *           "created": 1793525400,
                     *           "owned_by": "embedgate",
                     *           "dimensions": 512,
                     *           "max_input_tokens": 128
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidApiKey"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization’s standing, and what this month’s requests were. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "org_5f3a2c9d8e7b6a1f0c4d2e98",
                     *       "limit": 10000,
                     *       "used": 123,
                     *       "remaining": 9877,
                     *       "window": "month",
                     *       "resets_at": "2026-12-01T00:00:00.000Z",
                     *       "month": "2026-11",
                     *       "totals": {
                     *         "counted": 123,
                     *         "cached": 456,
                     *         "failed": 7,
                     *         "texts": 1890,
                     *         "tokens": 24570
                     *       },
                     *       "key": {
                     *         "key_id": "key_1b2c3d4e5f60718293a4b5c6",
                     *         "counted": 100,
                     *         "cached": 400,
                     *         "failed": 7,
                     *         "texts": 1500,
                     *         "tokens": 19500
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidApiKey"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s id, `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization, and where it stands against its limit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org_id": "org_5f3a2c9d8e7b6a1f0c4d2e98",
                     *       "name": "Acme",
                     *       "tier": "free",
                     *       "created_at": "2026-11-01T09:30:00.000Z",
                     *       "quota": {
                     *         "limit": 10000,
                     *         "used": 123,
                     *         "remaining": 9877,
                     *         "window": "month",
                     *         "resets_at": "2026-12-01T00:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidApiKey"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The shape of errors: `openai` is that of OpenAI’s API. */
                "X-Error-Format"?: components["parameters"]["ErrorFormat"];
                /** @description A name for this request, which comes back and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The organization’s id, `org_` and 24 hexadecimal characters. */
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys of the organization, newest first, the revoked ones as well. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "key_id": "key_1b2c3d4e5f60718293a4b5c6",
                     *           "org_id": "org_5f3a2c9d8e7b6a1f0c4d2e98",
                     *           "user_id": "ada",
                     *           "name": "laptop",
                     *           "status": "active",
                     *           "hint": "sk_…9f3c",
                     *           "created_at": "2026-11-01T09:31:00.000Z",
                     *           "last_used_at": null,
                     *           "expires_at": "2027-11-01T09:31:00.000Z",
                     *           "revoked_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidApiKey"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
