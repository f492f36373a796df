import { PageHeading } from '../../components/page-heading.tsx'

/** The page Try it. */
export const TryItView = () => <PageHeading title="Try it" />
