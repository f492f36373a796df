import { PageHeading } from '../../components/page-heading.tsx'

/** The page Product. */
export const ProductView = () => <PageHeading title="Product" />
