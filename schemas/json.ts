/** @module Any JSON value (RFC 8259), as a type. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
