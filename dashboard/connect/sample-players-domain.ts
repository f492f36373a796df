/** The name under which the sample players of `npm start` announce their wallets (EIP-6963). Nobody can own this domain. */
export const samplePlayersDomain = 'example.brindlewake'
