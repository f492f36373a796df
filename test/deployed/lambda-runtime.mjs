// Loaded into each function process that MiniStack starts: Lambda's runtime finds `index.cjs` for the
// handler `index.handler`, MiniStack's does not
// (https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/UserFunction.js).

import Module from 'node:module'

Module._extensions['.cjs'] = Module._extensions['.js']
