import { join } from 'node:path'
import { CustomResource, Duration, FileSystem, Stack, Validations } from 'aws-cdk-lib'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { bundleFile } from '../bundle/bundle.ts'
import type { UploadProperties } from '../custom-resources/dashboard-upload/handler.ts'
import { allow } from '../lambda/grant.ts'
import { ServiceFunction } from '../lambda/service-function.ts'
import { removalPolicy } from '../settings/removal-policy.ts'
import type { Settings } from '../settings/settings.ts'

/** The name of the function, which is the name of its folder under infra/custom-resources. */
export const uploadName = 'dashboard-upload'

/** The deployment package of the function, without its code, holds the files of the dashboard. */
export const packageFolder = (functionsDir: string): string =>
  join(bundleFile(functionsDir, uploadName), '..')

const timeoutSeconds = 60

/**
 * The files of the dashboard, and of the page on which players sign in (D114), in a private bucket, which only the distribution reads (D63). A custom resource puts them
 * there: a page comes after the files that it names, and the files of earlier versions stay for a time. With
 * `keepData`, the bucket and its files remain when the stack is deleted.
 */
export class DashboardSite extends Construct {
  readonly bucket: IBucket
  /** Resources that depend on it change only when the files of the version are in the bucket. */
  readonly uploaded: CustomResource

  constructor(
    scope: Construct,
    id: string,
    props: { settings: Settings; functionsDir: string; logGroup: ILogGroup },
  ) {
    super(scope, id)
    const { settings, functionsDir, logGroup } = props
    const { keepData } = settings
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: removalPolicy(keepData),
    })
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'The files are public through CloudFront, and only the distribution and the upload reach the bucket.',
    })
    this.bucket = bucket as IBucket
    const { function: upload } = new ServiceFunction(this, uploadName, {
      ...settings,
      name: uploadName,
      functionsDir,
      logGroup,
      timeoutSeconds,
      grants: [
        allow(['s3:ListBucket'], [this.bucket.bucketArn]),
        allow(['s3:PutObject', 's3:DeleteObject'], [this.bucket.arnForObjects('*')]),
      ],
      reservedConcurrency: undefined,
      allowRecursion: false,
    })
    const bucketId = Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnBucket)
    Validations.of(this).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/*]`,
      reason: 'The names of the files depend on their contents, and the bucket has no other files.',
    })
    const properties: UploadProperties = {
      Bucket: this.bucket.bucketName,
      // Without the code of the function.
      Version: FileSystem.fingerprint(packageFolder(functionsDir), { exclude: ['index.js*'] }),
      KeepFiles: `${keepData}`,
    }
    this.uploaded = new CustomResource(this, 'Files', {
      resourceType: 'Custom::DashboardFiles',
      serviceToken: upload.functionArn,
      serviceTimeout: Duration.seconds(2 * timeoutSeconds),
      properties,
    })
  }
}
