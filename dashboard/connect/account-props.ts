import type { PageService } from './service.ts'
import type { SignedIn } from './sign-in.ts'

/** What the parts of the view of a user need. */
export interface AccountProps {
  signedIn: SignedIn
  service: PageService
  onChange: (signedIn: SignedIn) => void
}
