/** Loads the page again when the local stack has another version of it. */
export function reloadAfterChanges(): void {
  let first: string | undefined
  new EventSource('/dev/reload').addEventListener('message', ({ data }) => {
    first ??= data
    if (data !== first) location.reload()
  })
}
