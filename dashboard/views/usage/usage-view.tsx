import { PageHeading } from '../../components/page-heading.tsx'

/** The page Usage. */
export const UsageView = () => <PageHeading title="Usage" />
