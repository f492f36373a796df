import * as v from 'valibot'
import { productInformation } from '../../lib/contract/answers.ts'
import {
  productFields,
  signInProductFields,
} from '../../lib/contract/documentation/product-fields.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { signInDomains } from '../../lib/contract/fields/sign-in-domains.ts'
import { emailText, storedNameText, text, websiteText } from '../../lib/contract/fields/texts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { haveOneWebsite, oneWebsite } from '../../lib/contract/website.ts'

/** A field of a product that a change can remove with `null`. */
const removable = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.exactOptional(v.nullable(schema))

const fields = {
  name: v.exactOptional(storedNameText(2, 100)),
  description: removable(text(10, 2000)),
  contactEmail: v.exactOptional(emailText),
  companyName: v.exactOptional(storedNameText(2, 100)),
  companyDescription: removable(text(10, 2000)),
  website: removable(websiteText),
  websiteLink: removable(websiteText),
  clientAccess: v.exactOptional(v.boolean('must be true or false')),
}

const allFields = {
  ...fields,
  signIn: v.exactOptional(v.boolean('must be true or false')),
  signInDomains: v.exactOptional(signInDomains),
}

const changesOf = (entries: typeof allFields) =>
  v.pipe(
    v.object(entries),
    v.forward(v.partialCheck([['website'], ['websiteLink']], haveOneWebsite, oneWebsite), [
      'websiteLink',
    ]),
  )

export const row = {
  id: 'updateProduct',
  section: 'D45',
  method: 'PATCH',
  paths: [`${base}/product`],
  auth: 'PRODUCT',
  /** Any of the fields of 4.1, within the same bounds (D45), client access (D51), and whether players can sign in (D106). */
  body: changesOf(allFields),
  answer: productInformation,
} as const satisfies Route

/** The row of a deployment in which players do not sign in with their wallets. */
export const rowWithoutSignIn = { ...row, body: changesOf(fields as typeof allFields) }

export const requests: OperationRequests = {
  each: { UpdateItem: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Product',
  summary: 'Update product',
  description:
    'Changes the given fields of the product in one step, within the bounds of registration, and returns the product. A field that is not sent stays as it is. `null` removes `description`, `companyDescription` or the website.',
  requests: {
    contact: {
      summary: 'A new contact, and no description any more',
      value: { contactEmail: 'games@brindlewake.example', description: null },
    },
    signIn: {
      summary: 'Players sign in with their wallets',
      value: { signIn: true, signInDomains: ['play.brindlewake.example'] },
      needs: 'walletSignIn',
    },
  },
  answers: {
    updated: {
      summary: 'The product',
      value: {
        productId: example.productId,
        name: 'Lanterns of Brindlewake',
        contactEmail: 'games@brindlewake.example',
        companyName: 'Gull Harbour Games',
      },
    },
  },
  invalidRequest: {
    summary: 'A short name',
    sent: { body: { name: '' } },
    faults: { name: 'must be 2 to 100 characters long' },
  },
  schemas: {
    ProductChanges: describedObject(
      row.body,
      'Fields of a product to change. A field that is absent stays.',
      { ...productFields, ...signInProductFields },
      { walletSignIn: ['signIn', 'signInDomains'] },
    ),
  },
})
