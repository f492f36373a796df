import { type Call, cursorStart, urlOf } from './call.ts'
import { unrealLiteral } from './literals.ts'

const key = `
    Request->SetHeader(TEXT("X-Api-Key"), FPlatformMisc::GetEnvironmentVariable(TEXT("API_KEY")));`

/** The call as a function for Unreal Engine 5, which writes each page to the log. */
export const unrealSnippet = (
  call: Call,
): string => `// In the .Build.cs file of the module: PublicDependencyModuleNames.AddRange(new[] { "HTTP", "Json" });
#include "CoreMinimal.h"
#include "Dom/JsonObject.h"
#include "GenericPlatform/GenericPlatformHttp.h"
#include "HttpModule.h"
#include "Interfaces/IHttpRequest.h"
#include "Interfaces/IHttpResponse.h"
#include "Serialization/JsonReader.h"
#include "Serialization/JsonSerializer.h"

void ReadPlayerNfts(const FString& PlayerToken, const FString& Cursor = FString())
{
    const TSharedRef<IHttpRequest, ESPMode::ThreadSafe> Request = FHttpModule::Get().CreateRequest();
    Request->SetVerb(TEXT("GET"));
    Request->SetURL(
        ${unrealLiteral(urlOf(call))}
        TEXT("${cursorStart(call)}") + FGenericPlatformHttp::UrlEncode(Cursor));${call.caller === 'server' ? key : ''}
    Request->SetHeader(TEXT("X-Player-Token"), PlayerToken);
    Request->OnProcessRequestComplete().BindLambda(
        [PlayerToken](FHttpRequestPtr, FHttpResponsePtr Response, bool bConnectedSuccessfully)
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
            // A page can be short or empty: only a missing nextCursor means the end.
            TSharedPtr<FJsonObject> Page;
            FString NextCursor;
            if (FJsonSerializer::Deserialize(TJsonReaderFactory<>::Create(Answer), Page)
                && Page->TryGetStringField(TEXT("nextCursor"), NextCursor))
            {
                ReadPlayerNfts(PlayerToken, NextCursor);
            }
        });
    Request->ProcessRequest();
}
`
