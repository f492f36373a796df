import { type Call, cursorStart, urlOf } from './call.ts'

const godotKey = `
		"X-Api-Key: " + OS.get_environment("API_KEY"),`

/** The call as a script for Godot 4, whose function prints each page. */
export const godotSnippet = (call: Call): string => `extends Node

const URL := "${urlOf(call)}"

func read_player_nfts(player_token: String) -> void:
	var request := HTTPRequest.new()
	add_child(request)
	request.timeout = 30.0
	var headers := PackedStringArray([${call.caller === 'server' ? godotKey : ''}
		"X-Player-Token: " + player_token,
	])
	var cursor := ""
	while true:
		var error := request.request(URL + "${cursorStart(call)}" + cursor.uri_encode(), headers)
		if error != OK:
			push_error("The request was not sent: " + error_string(error))
			break
		# The signal has a result, a status, headers and a body.
		var answer: Array = await request.request_completed
		var text: String = answer[3].get_string_from_utf8()
		if answer[0] != HTTPRequest.RESULT_SUCCESS or answer[1] != 200:
			push_error("%d: %s" % [answer[1], text])
			break
		print(text)
		# A page can be short or empty: only a missing nextCursor means the end.
		var page: Variant = JSON.parse_string(text)
		cursor = page.get("nextCursor", "") if page is Dictionary else ""
		if cursor.is_empty():
			break
	request.queue_free()
`

const unityKey = `
                request.SetRequestHeader("X-Api-Key", Environment.GetEnvironmentVariable("API_KEY"));`

const onlyHttps = `    // Unity refuses http:// unless the player settings allow downloads over HTTP.
`

/** The call as a component of Unity 2020.2 or later, whose coroutine writes the answer to the console. */
export const unitySnippet = (call: Call): string => `using System;
using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class PlayerNfts : MonoBehaviour
{
${call.origin.startsWith('http:') ? onlyHttps : ''}    const string Url =
        "${urlOf(call)}";

    [Serializable]
    class Page { public string nextCursor; }

    // StartCoroutine(Read(playerToken));
    public IEnumerator Read(string playerToken)
    {
        string url = Url;
        while (url != null)
        {
            using (UnityWebRequest request = UnityWebRequest.Get(url))
            {${call.caller === 'server' ? unityKey : ''}
                request.SetRequestHeader("X-Player-Token", playerToken);
                request.timeout = 30;
                yield return request.SendWebRequest();

                string text = request.downloadHandler.text;
                if (request.result != UnityWebRequest.Result.Success)
                {
                    Debug.LogError($"{request.error}\\n{text}");
                    yield break;
                }
                Debug.Log(text);
                // A page can be short or empty: only a missing nextCursor means the end.
                string cursor = JsonUtility.FromJson<Page>(text).nextCursor;
                url = string.IsNullOrEmpty(cursor)
                    ? null
                    : Url + "${cursorStart(call)}" + UnityWebRequest.EscapeURL(cursor);
            }
        }
    }
}
`

const unrealKey = `
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
        TEXT("${urlOf(call)}")
        TEXT("${cursorStart(call)}") + FGenericPlatformHttp::UrlEncode(Cursor));${call.caller === 'server' ? unrealKey : ''}
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
