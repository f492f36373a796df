import { type Call, cursorStart, urlOf } from './call.ts'
import { godotLiteral } from './literals.ts'

const key = `
		"X-Api-Key: " + OS.get_environment("API_KEY"),`

/** The call as a script for Godot 4, whose function prints each page. */
export const godotSnippet = (call: Call): string => `extends Node

const URL := ${godotLiteral(urlOf(call))}

func read_player_nfts(player_token: String) -> void:
	var request := HTTPRequest.new()
	add_child(request)
	request.timeout = 30.0
	var headers := PackedStringArray([${call.caller === 'server' ? key : ''}
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
