import * as v from 'valibot'
import { maxSignInDomains, parseSignInDomain } from '../../domain/sign-in/product-sign-in.ts'
import { parsed, string } from './rules.ts'

const message = 'must be a host name such as game.example, with its port if that is not 443'

/** The hosts at which a game lets its players sign in, as browsers write them (D106). Duplicates collapse. */
export const signInDomains = v.pipe(
  v.array(
    v.pipe(
      string('game.example'),
      parsed((text, addFault) => parseSignInDomain(text) ?? addFault(message)),
    ),
    'must be a list',
  ),
  v.maxLength(maxSignInDomains, `must have at most ${maxSignInDomains} hosts`),
  v.transform((domains) => [...new Set(domains)]),
)
