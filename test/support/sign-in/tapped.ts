import type { Tap } from '../memory/memory-ports.ts'

type Method = (...args: unknown[]) => Promise<unknown>

/** A port in memory, each call of which takes effect at one moment between two taps, with the name of its method after `of`. */
export const tapped = <Port extends object>(
  port: Port,
  tap: Tap = () => undefined,
  of = '',
): Port =>
  new Proxy(port, {
    get:
      (methods, method: string) =>
      async (...args: unknown[]) => {
        await tap(of + method, 'before')
        const result = await (methods as Record<string, Method>)[method]?.(...args)
        await tap(of + method, 'after')
        return result
      },
  })
