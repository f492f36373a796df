import { PageHeading } from '../../components/page-heading.tsx'

/** The page NFTs. */
export const ContractsView = () => <PageHeading title="NFTs" />
