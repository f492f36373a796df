/** The members of a value of unverified form; none of a value that is no object. */
export const unverified = (value: unknown): Readonly<Record<string, unknown>> => Object(value)
