/** The fields of a product, as it is registered and as it is returned. */
export const productFields = {
  name: 'Name of the product, without control characters.',
  description: 'Description of the product.',
  contactEmail: 'Contact e-mail address, without control characters.',
  companyName: 'Name of the company, without control characters.',
  companyDescription: 'Description of the company.',
  website: 'Website: an http or https URL, or text without a scheme such as `www.example.com`.',
  clientAccess:
    'Whether games can read the NFTs of their players with `productId` in place of the API key. Absent: no.',
  websiteLink: 'Another name of `website`, with the same value.',
}

/** The fields of a product that signs players in with their wallets (D106). */
export const signInProductFields = {
  signIn: 'Whether players can sign in to the game with their wallets. Absent: no.',
  signInDomains:
    'The hosts at which the game itself lets players sign in, and from whose pages it asks for codes of devices, as in `location.host`: up to 10.',
}

/** The meaning of the identity of a product (D45). */
export const productIdMeaning =
  'The public identity of the product. It gives no access by itself, and never changes.'

/** What a product has of its registration, for examples. */
export const exampleRegistration = {
  minimal: {
    name: 'Lanterns of Brindlewake',
    contactEmail: 'studio@brindlewake.example',
    companyName: 'Gull Harbour Games',
  },
  full: {
    name: 'Lanterns of Brindlewake',
    description: 'A cosy survival game about keeping the lamps of a drowned archipelago lit.',
    contactEmail: 'studio@brindlewake.example',
    companyName: 'Gull Harbour Games',
    companyDescription: 'Five people, one kettle, and a view of the sea.',
    website: 'https://brindlewake.example',
  },
}
