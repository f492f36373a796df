import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ConnectedContract, DailyUsage } from '../../../clients/typescript/src/types.ts'
import { pictureSource } from '../../components/picture-source.ts'
import { useClient } from '../../shell/client.ts'
import { useProduct } from '../../shell/product.ts'
import { useShell } from '../../shell/shell-context.ts'
import { ContractPictures, hasCallsToSpare } from './contract-pictures.ts'

/** The most pictures of a contract. */
const count = 3

/**
 * Returns the pictures of contracts, and renders again after changes; `undefined` while none may be read. Pictures that would
 * need a question (D62, D79) are left out.
 */
export function useContractPictures(
  usage: readonly DailyUsage[] | undefined,
): ContractPictures | undefined {
  const client = useClient()
  const { config } = useShell()
  const { data: product } = useProduct()
  const [, render] = useState(0)
  const mayRead = hasCallsToSpare(product, usage)
  return useMemo(() => {
    const read = async ({ chain, address }: Pick<ConnectedContract, 'chain' | 'address'>) => {
      const query = { chain, contractAddress: address, limit: count }
      const { data } = await client.getNfts(query, { maxRetries: 0 }).page()
      return data.flatMap(({ formattedMetadata: { image } }) => {
        const source = pictureSource(image, config, location.origin)
        return source.kind === 'loads' ? source.url : []
      })
    }
    return mayRead
      ? new ContractPictures(read, sessionStorage, () => render((renders) => renders + 1))
      : undefined
  }, [client, config, mayRead])
}

/** Reads the pictures of a contract while it is in view. */
export function useShown(
  pictures: ContractPictures | undefined,
  contract: ConnectedContract,
): void {
  const { chain, address } = contract
  useEffect(() => pictures?.show({ chain, address }), [pictures, chain, address])
}
