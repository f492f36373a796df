import { useEffect, useState } from 'preact/hooks'

const announced = new EventTarget()
let latest = { id: 0, text: '' }

/** How long a message is shown, in milliseconds. */
const shownFor = 5_000

/** Shows a short message at the edge of the page for some seconds, and lets screen readers say it. */
export function announce(text: string): void {
  latest = { id: latest.id + 1, text }
  announced.dispatchEvent(new Event('change'))
}

/** The place where the messages of {@link announce} appear. The page has one. */
export function Announcer() {
  const [shown, setShown] = useState<typeof latest>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      setShown(latest)
      clearTimeout(timer)
      timer = setTimeout(() => setShown(undefined), shownFor)
    }
    announced.addEventListener('change', show)
    return () => {
      announced.removeEventListener('change', show)
      clearTimeout(timer)
    }
  }, [])
  return (
    <div class="announcer" role="status">
      {shown && (
        <p class="announcement" key={shown.id}>
          {shown.text}
        </p>
      )}
    </div>
  )
}
