import type { Tap } from '../memory/memory-ports.ts'

type Method = (...args: unknown[]) => Promise<unknown>

/** A port in memory, each call of which takes effect at one moment between two taps. */
export const tapped = <Port extends object>(port: Port, tap: Tap = () => undefined): Port =>
  new Proxy(port, {
    get:
      (methods, call: string) =>
      async (...args: unknown[]) => {
        await tap(call, 'before')
        const result = await (methods as Record<string, Method>)[call]?.(...args)
        await tap(call, 'after')
        return result
      },
  })
