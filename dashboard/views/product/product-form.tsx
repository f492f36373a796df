import type {
  Product,
  RegisterProductParams,
  UpdateProductParams,
} from '../../../clients/typescript/src/types.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { fieldSentence } from '../../shell/describe-error.ts'

interface ProductFormProps {
  fields: ProductFields
  onFields: (fields: ProductFields) => void
  faultOf: (name: string) => string | undefined
  /** Hides the descriptions until the user asks for them. */
  isShort?: boolean
}

/** The fields of a product, in registration and in its settings. */
export function ProductForm({ fields, onFields, faultOf, isShort = false }: ProductFormProps) {
  const bind = (name: keyof ProductFields) => ({
    value: fields[name],
    onValue: (value: string) => onFields({ ...fields, [name]: value }),
    error: faultOf(name),
    name,
  })
  const descriptions = (
    <>
      <TextArea label="About the game" isOptional {...bind('description')} />
      <TextArea label="About the company" isOptional {...bind('companyDescription')} />
    </>
  )
  const hasContent = fields.description !== '' || fields.companyDescription !== ''
  return (
    <>
      <TextField label="Name of the game" {...bind('name')} />
      <TextField label="Company" autocomplete="organization" {...bind('companyName')} />
      <TextField
        label="Contact e-mail"
        hint="Where the operator of the service can reach you."
        inputMode="email"
        autocomplete="email"
        spellcheck={false}
        {...bind('contactEmail')}
      />
      <TextField
        label="Website"
        isOptional
        inputMode="url"
        spellcheck={false}
        {...bind('website')}
      />
      {isShort ? (
        <details open={hasContent}>
          <summary class="soft">Describe the game and the company</summary>
          <div class="stack">{descriptions}</div>
        </details>
      ) : (
        descriptions
      )}
    </>
  )
}

/** The fields of a product as a form holds them: an empty text is an absent field. */
type ProductFields = typeof noFields

export const noFields = {
  name: '',
  companyName: '',
  contactEmail: '',
  website: '',
  description: '',
  companyDescription: '',
}

/** The bounds of the API (4.1), in characters. */
const bounds: Readonly<Record<keyof ProductFields, readonly [min: number, max: number]>> = {
  name: [2, 100],
  companyName: [2, 100],
  contactEmail: [3, 300],
  website: [1, 2048],
  description: [10, 2000],
  companyDescription: [10, 2000],
}

const required: readonly (keyof ProductFields)[] = ['name', 'companyName', 'contactEmail']

const names = Object.keys(noFields) as (keyof ProductFields)[]

/** What is wrong with fields, by their names, as far as the form can tell. The API checks them all again. */
export const faultsOf = (fields: ProductFields): Record<string, string | undefined> =>
  Object.fromEntries(names.map((name) => [name, fieldSentence(faultOf(name, fields[name].trim()))]))

function faultOf(name: keyof ProductFields, value: string): string | undefined {
  if (value === '') return required.includes(name) ? 'is required' : undefined
  const [min, max] = bounds[name]
  const length = [...value].length
  if (length < min || length > max) return `must be ${min} to ${max} characters long`
  if (name === 'contactEmail' && !/^[^@]+@[^@]+$/.test(value)) {
    return 'must have something on each side of a single @'
  }
  return undefined
}

export const fieldsOf = (product: Product): ProductFields => fieldsWith((name) => product[name])

export function registrationOf(fields: ProductFields): RegisterProductParams {
  const { name, companyName, contactEmail, ...optional } = trimmed(fields)
  const filled = Object.entries(optional).filter(([, value]) => value !== '')
  return { name, companyName, contactEmail, ...Object.fromEntries(filled) }
}

/** Returns the changes that turn a product into one with these fields. `null` removes a field. */
export function changesOf(product: Product, fields: ProductFields): UpdateProductParams {
  const before = fieldsOf(product)
  const after = trimmed(fields)
  const changed = names.filter((name) => after[name] !== before[name])
  return Object.fromEntries(changed.map((name) => [name, after[name] === '' ? null : after[name]]))
}

const trimmed = (fields: ProductFields) => fieldsWith((name) => fields[name].trim())

const fieldsWith = (textOf: (name: keyof ProductFields) => string | undefined) =>
  Object.fromEntries(names.map((name) => [name, textOf(name) ?? ''])) as ProductFields
