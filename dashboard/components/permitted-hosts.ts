import { useEffect, useState } from 'preact/hooks'

/** The hosts whose pictures the user has chosen to load. They are forgotten with the page. */
const hosts = new Set<string>()

const changed = new EventTarget()

/** Permits pictures of a host until the page is loaded again. */
export function permitHost(host: string): void {
  hosts.add(host)
  changed.dispatchEvent(new Event('change'))
}

/** Returns whether the user has permitted pictures of a host, and renders again when that changes. */
export function useIsPermitted(host: string | undefined): boolean {
  const [, render] = useState(0)
  useEffect(() => {
    const update = () => render((count) => count + 1)
    changed.addEventListener('change', update)
    return () => changed.removeEventListener('change', update)
  }, [])
  return host !== undefined && hosts.has(host)
}
