import { Component, type ComponentChildren } from 'preact'
import { Notice } from './notice.tsx'

/** Shows a message in place of a view that has thrown. The rest of the page stays usable. */
export class ErrorBoundary extends Component<
  { children: ComponentChildren },
  { error: unknown; hasFailed: boolean }
> {
  override state = { error: undefined, hasFailed: false }

  override componentDidCatch(error: unknown): void {
    // The console is where a developer of the dashboard looks for the cause.
    console.error(error)
    this.setState({ error, hasFailed: true })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Notice kind="error" title="This page has stopped because of an error in the dashboard.">
        <p>Nothing on the server has changed by it. Load the page again.</p>
        <div class="actions">
          <button type="button" class="button is-secondary" onClick={() => location.reload()}>
            Load again
          </button>
        </div>
      </Notice>
    )
  }
}
