// Shows a player's details and NFTs. Everything it shows was written by strangers, so it creates elements
// and sets their text; it never builds HTML from text.

const element = (id) => document.getElementById(id)

const serviceUrl = document.querySelector('meta[name="service-url"]').content

element('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = new FormData(event.target)
  const playerToken = String(form.get('playerToken')).trim()
  element('player').hidden = true
  element('status').textContent = 'Loading…'
  try {
    const [player, nfts] = await Promise.all([playerDetails(playerToken), playerNfts(playerToken)])
    element('username').textContent = player.username
    element('amount').textContent = player.amount
    element('nfts').replaceChildren(...nfts.map(nftItem))
    element('status').textContent = ''
    element('player').hidden = false
  } catch (error) {
    element('status').textContent = error.message
  }
})

/** Asks the service itself, which needs no API key for this. */
async function playerDetails(playerToken) {
  const response = await fetch(`${serviceUrl}/api/public/v1/player/details`, {
    headers: { 'X-Player-Token': playerToken },
  })
  // The balance has more digits than a JavaScript number: take it as the text that was sent.
  const answer = JSON.parse(await response.text(), (key, value, context) =>
    key === 'amount' ? (context?.source ?? String(value)) : value,
  )
  if (response.ok) return answer.data
  throw new Error(advice(response.status, answer.code))
}

/** Asks the game's own server: only that has the API key. */
async function playerNfts(playerToken) {
  const response = await fetch('/nfts', { headers: { Authorization: `Bearer ${playerToken}` } })
  const answer = await response.json()
  if (response.ok) return answer.nfts
  throw new Error(advice(response.status))
}

function advice(status, code) {
  if (status === 401) {
    return code === 'player_token_expired'
      ? 'This player token has expired. Sign in again.'
      : 'This player token is not valid. Sign in again.'
  }
  if (status === 429 || status === 503) return 'The service is busy. Try again in a few seconds.'
  return 'Something went wrong. Try again later.'
}

function nftItem({ chain, tokenId, balance, formattedMetadata: { name, image } }) {
  const item = document.createElement('li')
  const url = imageUrl(image)
  if (url) item.append(picture(url))
  const title = document.createElement('strong')
  title.textContent = name || `Number ${tokenId}`
  item.append(title, document.createElement('br'), `${balance} on ${chain}`)
  return item
}

function picture(url) {
  const image = document.createElement('img')
  // The name beside it says all that there is to say.
  image.alt = ''
  image.loading = 'lazy'
  // Hosts of pictures belong to strangers. They need not learn where they are shown.
  image.referrerPolicy = 'no-referrer'
  image.addEventListener('error', () => image.remove())
  image.src = url
  return image
}

/** The URL of an image if it may be shown: over HTTPS or from the service, so neither `javascript:` nor `data:`. */
function imageUrl(image) {
  const url = image === null ? null : URL.parse(image)
  const isShown = url?.protocol === 'https:' || url?.origin === new URL(serviceUrl).origin
  return isShown ? url.href : undefined
}
