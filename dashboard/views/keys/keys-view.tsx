import { PageHeading } from '../../components/page-heading.tsx'

/** The page Keys. */
export const KeysView = () => <PageHeading title="Keys" />
