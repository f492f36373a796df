import { RemovalPolicy } from 'aws-cdk-lib'

/**
 * What happens to a resource with data when it leaves the stack, or the stack is removed: with `keepData`, it remains
 * in the account, except if it was created by a deployment that failed. Otherwise it is deleted.
 */
export const removalPolicy = (keepData: boolean): RemovalPolicy =>
  keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY
