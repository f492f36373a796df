import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useShell } from '../shell/shell-context.ts'
import { Icon } from './icon.tsx'
import { permitHost, useIsPermitted } from './permitted-hosts.ts'
import { pictureSource } from './picture-source.ts'

/**
 * The picture of an NFT in a square. Pictures of the dashboard's own host and of the gateways load by themselves,
 * others after a click on a button that names their host (D62). Where there is no picture, it says why.
 */
export function NftPicture({ image, name }: { image: string | null; name: string }) {
  const { config } = useShell()
  const source = pictureSource(image, config, location.origin)
  const host = source.kind === 'asks' ? source.host : undefined
  const isPermitted = useIsPermitted(host)
  if (source.kind === 'none') return <Placeholder text={source.reason} />
  if (host !== undefined && !isPermitted) {
    return (
      <div class="nft-picture">
        <button
          type="button"
          class="nft-picture-button"
          onClick={() => permitHost(host)}
          title={`Loads the pictures of ${host}. The host sees your IP address.`}
        >
          <Icon name="nfts" />
          <span>
            Load pictures from{' '}
            <bdi class="nft-picture-host">
              {host.split('.').map((label, index) => (
                <Fragment key={index}>
                  {index > 0 && (
                    <>
                      .<wbr />
                    </>
                  )}
                  {label}
                </Fragment>
              ))}
            </bdi>
          </span>
        </button>
      </div>
    )
  }
  return <LoadedPicture url={source.url} name={name} />
}

function LoadedPicture({ url, name }: { url: string; name: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  // Another picture may load.
  useEffect(() => setHasFailed(false), [url])
  if (hasFailed) return <Placeholder text="The picture cannot be loaded" />
  return (
    <div class="nft-picture">
      <img
        key={url}
        src={url}
        alt={name.slice(0, 100)}
        loading="lazy"
        decoding="async"
        referrerpolicy="no-referrer"
        onError={() => setHasFailed(true)}
      />
    </div>
  )
}

const Placeholder = ({ text }: { text: string }) => (
  <div class="nft-picture is-empty">
    <Icon name="nfts" />
    <span>{text}</span>
  </div>
)
