// Runs the cases of ../clients-checks.ts with clients for Go, and prints what a user of each gets.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	sashabaranov "github.com/sashabaranov/go-openai"
)

type embed func(url, key string, texts []string, wish string) ([][]float64, error)

type failure struct {
	Type    string `json:"type"`
	Status  int    `json:"status"`
	Message string `json:"message"`
}

type answer struct {
	Vectors [][]float64 `json:"vectors,omitempty"`
	Error   *failure    `json:"error,omitempty"`
}

var model = os.Getenv("MODEL")

func official(url, key string, texts []string, wish string) (vectors [][]float64, err error) {
	client := openai.NewClient(option.WithBaseURL(url), option.WithAPIKey(key))
	params := openai.EmbeddingNewParams{Model: model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts}}
	options := []option.RequestOption{}
	if wish == "dimensions" {
		params.Dimensions = openai.Int(64)
	} else if wish == "strict" {
		options = append(options, option.WithJSONSet("truncate", false))
	}
	response, err := client.Embeddings.New(context.Background(), params, options...)
	if err == nil {
		for _, item := range response.Data {
			vectors = append(vectors, item.Embedding)
		}
	}
	return vectors, err
}

func community(url, key string, texts []string, wish string) (vectors [][]float64, err error) {
	config := sashabaranov.DefaultConfig(key)
	config.BaseURL = url
	request := sashabaranov.EmbeddingRequest{Model: sashabaranov.EmbeddingModel(model), Input: texts}
	switch wish {
	case "dimensions":
		request.Dimensions = 64
	case "base64":
		request.EncodingFormat = sashabaranov.EmbeddingEncodingFormatBase64
	case "strict":
		request.ExtraBody = map[string]any{"truncate": false}
	}
	response, err := sashabaranov.NewClientWithConfig(config).CreateEmbeddings(context.Background(), request)
	if err == nil {
		for _, item := range response.Data {
			vector := make([]float64, len(item.Embedding))
			for i, x := range item.Embedding {
				vector[i] = float64(x)
			}
			vectors = append(vectors, vector)
		}
	}
	return vectors, err
}

func seen(err error) *failure {
	name := strings.TrimLeft(fmt.Sprintf("%T", err), "*")
	var own *openai.Error
	var theirs *sashabaranov.APIError
	var undecoded *sashabaranov.RequestError
	if errors.As(err, &own) {
		// Its Error() leaves out the message.
		return &failure{"openai.Error", own.StatusCode, own.Message}
	} else if errors.As(err, &theirs) {
		return &failure{name, theirs.HTTPStatusCode, err.Error()}
	} else if errors.As(err, &undecoded) {
		return &failure{name, undecoded.HTTPStatusCode, err.Error()}
	}
	return &failure{name, 0, err.Error()}
}

func main() {
	clients := map[string]embed{"openai/openai-go": official, "sashabaranov/go-openai": community}
	wishes := map[string]string{"openai/openai-go": "dimensions strict", "sashabaranov/go-openai": "dimensions strict base64"}
	var cases []struct {
		Name, Key, Wish string
		Requests        [][]string
	}
	if err := json.Unmarshal([]byte(os.Getenv("CASES")), &cases); err != nil {
		panic(err)
	}
	results := map[string]map[string]answer{}
	for name, embed := range clients {
		results[name] = map[string]answer{}
		for _, one := range cases {
			if !strings.Contains(wishes[name], one.Wish) {
				continue
			}
			url := fmt.Sprintf("%s/@%s:%s@/openai/v1", os.Getenv("BASE_URL"), strings.ReplaceAll(name, "/", "_"), one.Name)
			var got answer
			for _, texts := range one.Requests {
				own := strings.Split(strings.ReplaceAll(strings.Join(texts, "\n"), "CLIENT", name), "\n")
				vectors, err := embed(url, one.Key, own, one.Wish)
				if got.Vectors = append(got.Vectors, vectors...); err != nil {
					got = answer{Error: seen(err)}
					break
				}
			}
			results[name][one.Name] = got
		}
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
