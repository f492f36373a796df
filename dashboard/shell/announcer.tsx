import { useEffect } from 'preact/hooks'
import { newChanges, useChanges } from './changes.ts'

const announced = newChanges()
let latest = { id: 0, text: '' }

/** How long a message is shown, in milliseconds. */
const shownFor = 5_000

/** Shows a short message at the edge of the page for some seconds, and lets screen readers say it. */
export function announce(text: string): void {
  latest = { id: latest.id + 1, text }
  announced.changed()
}

/** The place where the messages of {@link announce} appear. The page has one. */
export function Announcer() {
  useChanges(announced)
  const { id, text } = latest
  useEffect(() => {
    if (text === '') return
    const timer = setTimeout(announce, shownFor, '')
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div class="announcer" role="status">
      {text && (
        <p class="announcement" key={id}>
          {text}
        </p>
      )}
    </div>
  )
}
