import { PageHeading } from '../../components/page-heading.tsx'

/** The page Events. */
export const EventsView = () => <PageHeading title="Events" />
