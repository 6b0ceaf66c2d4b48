<?php

declare(strict_types=1);

// Loads the files named and prints, as JSON, what they declare of the types that the extension and the library both
// have. Without a file: what the extension declares.

use Larder\Answer;
use Larder\Exception\LarderException;
use Larder\Exception\PoolIsShared;
use Larder\Exception\SharedMemoryUnavailable;
use Larder\Exception\UnstorableValue;
use Larder\NearStore;
use Larder\Outcome;
use Larder\Store;

/** A comment's sentences and tags, wherever its lines break; not the tags that only the extension's generator reads. */
$words = static function (string|false $comment): string {
    $lines = array_map(static fn(string $line): string => trim($line, "/* \t"), explode("\n", (string) $comment));
    $lines = array_filter(
        $lines,
        static fn(string $line): bool => !in_array($line, ['@strict-properties', '@not-serializable'], true),
    );

    return trim(preg_replace('~\s+~', ' ', implode(' ', $lines)) ?? '');
};

$method = static fn(ReflectionMethod $method): array => [
    'comment' => $words($method->getDocComment()),
    'static' => $method->isStatic(),
    'visibility' => Reflection::getModifierNames($method->getModifiers() & ~ReflectionMethod::IS_ABSTRACT),
    'parameters' => array_map(static fn(ReflectionParameter $parameter): array => [
        'name' => $parameter->getName(),
        'type' => (string) $parameter->getType(),
        'default' => $parameter->isDefaultValueAvailable() ? var_export($parameter->getDefaultValue(), true) : null,
        'reference' => $parameter->isPassedByReference(),
        'variadic' => $parameter->isVariadic(),
    ], $method->getParameters()),
    'returns' => (string) $method->getReturnType(),
];

/** @param ReflectionClass<object> $class */
$describe = static function (ReflectionClass $class) use ($words, $method): array {
    $parent = $class->getParentClass();
    $interfaces = $class->getInterfaceNames();
    sort($interfaces);
    $description = [
        'comment' => $words($class->getDocComment()),
        'kind' => [
            $class->isInterface(),
            $class->isEnum(),
            $class->isFinal() && !$class->isEnum(),
            $class->isAbstract(),
        ],
        'parent' => $parent === false ? null : $parent->getName(),
        'interfaces' => $interfaces,
        'constants' => [],
        'properties' => [],
        'methods' => [],
    ];
    foreach ($class->getReflectionConstants() as $constant) {
        $description['constants'][$constant->getName()] = [
            $words($constant->getDocComment()),
            $constant->isEnumCase() ? null : var_export($constant->getValue(), true),
        ];
    }
    if (!$class->isSubclassOf(Throwable::class) || $class->isInterface()) {
        foreach ($class->getProperties() as $property) {
            $description['properties'][$property->getName()] = [
                $words($property->getDocComment()),
                (string) $property->getType(),
                $property->isReadOnly(),
                $property->isPublic(),
            ];
        }
        foreach ($class->getMethods() as $reflection) {
            $description['methods'][$reflection->getName()] = $method($reflection);
        }
    }

    return $description;
};

foreach (array_slice($argv, 1) as $file) {
    require $file;
}
$types = [];
foreach ([
    LarderException::class,
    PoolIsShared::class,
    SharedMemoryUnavailable::class,
    UnstorableValue::class,
    Outcome::class,
    Answer::class,
    Store::class,
    NearStore::class,
] as $name) {
    $types[$name] = $describe(new ReflectionClass($name));
}
echo json_encode($types, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR);
