import { NestedStack, Stack } from 'aws-cdk-lib'
import { Construct, type IConstruct } from 'constructs'
import type { Feature, Route } from '../lib/contract/route.ts'

/** The settings whose operations have a nested stack of their own, with the id of the stack and what it holds (D147). */
const subjects: Record<Feature, { id: string; description: string }> = {
  walletSignIn: {
    id: 'WalletSignIn',
    description: 'The functions and routes with which players sign in with their wallets',
  },
  webhooks: {
    id: 'Webhooks',
    description: 'The functions and routes of webhooks, and what delivers to them',
  },
}

/** The stacks of the functions of a deployment: a nested one for each of its settings that have one, and the root (D147). */
export class SubjectStacks {
  private readonly root: Stack
  private readonly nested: ReadonlyMap<string, Stack>

  constructor(root: Stack, settings: { readonly [Name in Feature]?: object | undefined }) {
    this.root = root
    this.nested = new Map(
      Object.entries(subjects).flatMap(([name, { id, description }]) =>
        settings[name as Feature]
          ? [[name, new NestedStack(root, id, { description })] as const]
          : [],
      ),
    )
  }

  /** The stack of what belongs to a setting. */
  forFeature(feature: Feature | undefined): Stack {
    return this.nested.get(`${feature}`) ?? this.root
  }

  ofRoute(route: Route): Stack {
    return this.forFeature(route.needs)
  }
}

/**
 * The stack that is deployed, of a construct in it or in one of its nested stacks. Names come from its name, and what commands
 * search for: CloudFormation chooses that of a nested stack.
 */
export function rootStack(construct: IConstruct): Stack {
  const stack = Stack.of(construct)
  return stack.nestedStackParent ?? stack
}

/** The part of a construct of the root that is in this stack: the construct itself, or one with its id in a nested stack. */
export function partIn(stack: Stack, construct: Construct): Construct {
  if (Stack.of(construct) === stack) return construct
  const { id } = construct.node
  return (stack.node.tryFindChild(id) as Construct | undefined) ?? new Construct(stack, id)
}

/** Lets every nested stack of a stack change only after a resource. */
export function changeNestedAfter(root: Stack, resource: IConstruct): void {
  for (const each of root.node.children) {
    if (NestedStack.isNestedStack(each)) each.nestedStackResource?.node.addDependency(resource)
  }
}
