/** The fields of a product, as it is registered and as it is returned. */
export const productFields = {
  name: 'Name of the product.',
  description: 'What the product is.',
  contactEmail: 'Contact e-mail address.',
  companyName: 'Name of the company.',
  companyDescription: 'What the company does.',
  website: 'Website: an http or https URL, or text without a scheme such as `www.example.com`.',
  websiteLink: 'Another name of `website`, with the same value.',
}
