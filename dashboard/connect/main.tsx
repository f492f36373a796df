import { render } from 'preact'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { ConnectPage } from './connect-page.tsx'

render(
  <ErrorBoundary>
    <ConnectPage />
  </ErrorBoundary>,
  document.querySelector('#connect') as HTMLElement,
)
