import type { WorkPorts } from '../../../lib/domain/process-work-item.ts'

/** Called before and after each port call takes effect. May throw or wait. */
export type Tap = (call: string, when: 'before' | 'after') => unknown

/** The ports with taps before and after each call. */
export function tapPorts(ports: WorkPorts, tap: Tap): WorkPorts {
  const tapped = Object.entries(ports).map(([name, port]) => [
    name,
    typeof port === 'object' ? tapPort(name, port, tap) : port,
  ])
  return Object.fromEntries(tapped) as WorkPorts
}

/** The port with taps. Wraps a method when it is called, because most calls of a domain function use few of them. */
function tapPort(name: string, port: object, tap: Tap): object {
  return new Proxy(port, {
    get:
      (methods, method: string) =>
      async (...args: unknown[]) => {
        await tap(`${name}.${method}`, 'before')
        const answer = await (methods as Record<string, Method>)[method]?.(...args)
        await tap(`${name}.${method}`, 'after')
        return answer
      },
  })
}

type Method = (...args: unknown[]) => Promise<unknown>
