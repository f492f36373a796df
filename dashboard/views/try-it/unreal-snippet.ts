import { type Call, urlOf } from './call.ts'
import { unrealLiteral } from './literals.ts'

const key = `
    Request->SetHeader(TEXT("X-Api-Key"), FPlatformMisc::GetEnvironmentVariable(TEXT("API_KEY")));`

/** The call as a function for Unreal Engine 5, which writes the answer to the log. */
export const unrealSnippet = (
  call: Call,
): string => `// In the .Build.cs file of the module: PublicDependencyModuleNames.Add("HTTP");
#include "CoreMinimal.h"
#include "HttpModule.h"
#include "Interfaces/IHttpRequest.h"
#include "Interfaces/IHttpResponse.h"

void ReadPlayerNfts(const FString& PlayerToken)
{
    const TSharedRef<IHttpRequest, ESPMode::ThreadSafe> Request = FHttpModule::Get().CreateRequest();
    Request->SetVerb(TEXT("GET"));
    Request->SetURL(
        ${unrealLiteral(urlOf(call))});${call.caller === 'server' ? key : ''}
    Request->SetHeader(TEXT("X-Player-Token"), PlayerToken);
    Request->OnProcessRequestComplete().BindLambda(
        [](FHttpRequestPtr, FHttpResponsePtr Response, bool bConnectedSuccessfully)
        {
            if (!bConnectedSuccessfully || !Response.IsValid())
            {
                UE_LOG(LogTemp, Error, TEXT("The service did not answer."));
                return;
            }
            const FString Answer = Response->GetContentAsString();
            if (Response->GetResponseCode() != 200)
            {
                UE_LOG(LogTemp, Error, TEXT("%d: %s"), Response->GetResponseCode(), *Answer);
                return;
            }
            UE_LOG(LogTemp, Log, TEXT("%s"), *Answer);
        });
    Request->ProcessRequest();
}
`
