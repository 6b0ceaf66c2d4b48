<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

/** An answer of the guide, with the figures it rests on. */
final readonly class Advice
{
    /**
     * @param string       $topic    advice of one topic says much the same, so that a short list takes one of each
     * @param string       $question as a reader would ask it: "phpredis or Predis?"
     * @param string       $answer   sentences, each with its figures
     * @param list<string> $charts   ids of those it rests on, the most telling first
     * @param float        $strength how far the best evidence's interval keeps from "no difference", as a logarithm
     * @param string|null  $figure   the best evidence by itself: "4.05 (3.98–4.12)"
     */
    public function __construct(
        public string $topic,
        public string $question,
        public string $answer,
        public array $charts,
        public float $strength = 0.0,
        public ?string $figure = null,
    ) {}
}
