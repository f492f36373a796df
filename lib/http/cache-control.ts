import type { AcceptedAge } from '../domain/reading/freshness.ts'

/** A directive with or without a number of seconds, which may be quoted. */
const directive = /^[ \t]*([^\s="]+)(?:=("?)(\d+)\2)?[ \t]*$/

/** Larger numbers of seconds mean this one (RFC 9111 section 1.2.2). */
const maxSeconds = 2 ** 31

/**
 * Reads what the header Cache-Control of a request says about the age of the answer: `no-cache`, `max-age` (RFC 9111
 * section 5.2.1) and `stale-if-error` (RFC 5861 section 4). Ignores unknown and malformed directives (D156). Of two
 * directives of one name, the smaller number of seconds counts.
 */
export function acceptedAgeOf(header: string | undefined): AcceptedAge {
  const accepted: AcceptedAge = {}
  // Commas within quotes do not separate directives.
  for (const text of header?.match(/(?:[^,"]|"[^"]*")+/g) ?? []) {
    const [, name, , seconds] = directive.exec(text) ?? []
    const age = seconds === undefined ? undefined : Math.min(Number(seconds), maxSeconds)
    switch (name?.toLowerCase()) {
      case 'no-cache':
        if (age === undefined) accepted.refusesKept = true
        break
      case 'max-age':
        accepted.maxAgeSeconds = smaller(accepted.maxAgeSeconds, age)
        break
      case 'stale-if-error':
        accepted.staleIfErrorSeconds = smaller(accepted.staleIfErrorSeconds, age)
    }
  }
  return accepted
}

const smaller = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
