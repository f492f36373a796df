import { useEffect, useState } from 'preact/hooks'

/** The hosts whose pictures, and the URLs of the large pictures, that the user has chosen to load. Forgotten with the page. */
const permitted = new Set<string>()

const changed = new EventTarget()

/** Permits the pictures of a host, or the picture with a URL, until the page is loaded again. */
export function permitPictures(from: string): void {
  permitted.add(from)
  changed.dispatchEvent(new Event('change'))
}

/** Returns whether the user has permitted the pictures of a host or a URL, and renders again when that changes. */
export function useIsPermitted(from: string | undefined): boolean {
  const [, render] = useState(0)
  useEffect(() => {
    const update = () => render((count) => count + 1)
    changed.addEventListener('change', update)
    return () => changed.removeEventListener('change', update)
  }, [])
  return from !== undefined && permitted.has(from)
}
