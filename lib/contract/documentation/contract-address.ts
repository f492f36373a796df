import { example } from './examples.ts'

/** The accepted forms of a contract address (D14). */
export const addressForm =
  '`0x` and 40 hexadecimal digits, all lower case, all upper case, or mixed with a correct EIP-55 checksum.'

/** The query parameter of 4.5 and 4.6. */
export const contractAddressParameter = {
  description: `Address of the contract: ${addressForm}`,
  example: example.contracts.gear,
}
