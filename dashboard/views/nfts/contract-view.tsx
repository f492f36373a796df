import { PageHeading } from '../../components/page-heading.tsx'

/** The page Contract. */
export const ContractView = () => <PageHeading title="Contract" />
