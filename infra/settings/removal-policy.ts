import { RemovalPolicy } from 'aws-cdk-lib'

/** With `keepData`, a resource remains, unless the deployment that created it has failed. Otherwise it is deleted. */
export const removalPolicy = (keepData: boolean): RemovalPolicy =>
  keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY
