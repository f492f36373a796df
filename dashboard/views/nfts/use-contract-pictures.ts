import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ConnectedContract, DailyUsage } from '../../../clients/typescript/src/types.ts'
import { pictureSource } from '../../components/picture-source.ts'
import { useClient, useProduct, useShell } from '../../shell/shell-context.ts'
import { ContractPictures, hasCallsToSpare } from './contract-pictures.ts'

/** The most pictures of a contract. */
const count = 3

/** The pictures of contracts, and whether more may be read. */
export interface ShownPictures {
  pictures: ContractPictures
  mayRead: boolean
}

/**
 * Returns the pictures of contracts, and renders again after changes. Pictures that would need a question (D62, D79) are left
 * out.
 */
export function useContractPictures(usage: readonly DailyUsage[] | undefined): ShownPictures {
  const client = useClient()
  const { config } = useShell()
  const { data: product } = useProduct()
  const [, render] = useState(0)
  const pictures = useMemo(() => {
    const read = async (
      { chain, address }: Pick<ConnectedContract, 'chain' | 'address'>,
      signal: AbortSignal,
    ) => {
      const query = { chain, contractAddress: address, limit: count }
      const { data } = await client.getNfts(query, { signal, maxRetries: 0 }).page()
      return data.flatMap(({ formattedMetadata: { image } }) => {
        const source = pictureSource(image, config, location.origin)
        return source.kind === 'loads' ? source.url : []
      })
    }
    return new ContractPictures(read, sessionStorage, () => render((renders) => renders + 1))
  }, [client, config])
  useEffect(() => () => pictures.close(), [pictures])
  return { pictures, mayRead: hasCallsToSpare(product, usage) ?? false }
}

/** Returns the pictures of a contract, which are read while it is in view. */
export function usePicturesOf(
  { pictures, mayRead }: ShownPictures,
  contract: ConnectedContract,
): readonly string[] {
  const { chain, address } = contract
  useEffect(
    () => (mayRead ? pictures.show({ chain, address }) : undefined),
    [pictures, mayRead, chain, address],
  )
  return pictures.of(contract)
}
