<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** What Reflection says about classes, as plain arrays that can be compared. */
final class Api
{
    /**
     * @param list<class-string> $classes
     * @return array<string, mixed>
     */
    public static function describe(array $classes): array
    {
        sort($classes);

        return array_combine($classes, array_map(static fn (string $name) => self::ofClass(new \ReflectionClass($name)), $classes));
    }

    /** @return array<string, mixed> */
    private static function ofClass(\ReflectionClass $class): array
    {
        $own = static fn ($member) => $member->getDeclaringClass()->name === $class->name;
        $interfaces = $class->getInterfaceNames();
        sort($interfaces);

        return [
            'kind' => $class->isInterface() ? 'interface' : 'class',
            'final' => $class->isFinal(),
            'abstract' => $class->isAbstract() && !$class->isInterface(),
            'parent' => $class->getParentClass() ? $class->getParentClass()->name : null,
            'interfaces' => $interfaces,
            'constants' => $class->isInterface() ? $class->getConstants() : array_keys(array_filter($class->getReflectionConstants(), $own)),
            'properties' => self::byName(array_filter($class->getProperties(), $own), self::ofProperty(...)),
            'methods' => self::byName(array_filter($class->getMethods(), $own), self::ofMethod(...)),
        ];
    }

    /** @return array<string, mixed> */
    private static function ofProperty(\ReflectionProperty $property): array
    {
        return [
            'modifiers' => \Reflection::getModifierNames($property->getModifiers()),
            'type' => (string) $property->getType(),
            'default' => $property->hasDefaultValue() ? $property->getDefaultValue() : 'none',
        ];
    }

    /** @return array<string, mixed> */
    private static function ofMethod(\ReflectionMethod $method): array
    {
        $returns = $method->hasReturnType() ? $method->getReturnType() : $method->getTentativeReturnType();

        return [
            'modifiers' => \Reflection::getModifierNames($method->getModifiers()),
            'returns' => str_replace('self', $method->class, (string) $returns),
            'parameters' => array_map(self::ofParameter(...), $method->getParameters()),
        ];
    }

    /** @return array<string, mixed> */
    private static function ofParameter(\ReflectionParameter $parameter): array
    {
        return [
            'name' => $parameter->getName(),
            'type' => self::type($parameter),
            'default' => $parameter->isDefaultValueAvailable() ? var_export($parameter->getDefaultValue(), true) : 'none',
            'optional' => $parameter->isOptional(),
            'variadic' => $parameter->isVariadic(),
            'by_reference' => $parameter->isPassedByReference(),
        ];
    }

    /** A union's parts in one order: Reflection's own differs between PHP code and extensions. */
    private static function type(\ReflectionParameter $parameter): string
    {
        $parts = explode('|', (string) $parameter->getType());
        sort($parts);

        return implode('|', $parts);
    }

    /** @return array<string, mixed> */
    private static function byName(array $members, callable $describe): array
    {
        $described = [];
        foreach ($members as $member) {
            $described[$member->name] = $describe($member);
        }
        ksort($described);

        return $described;
    }
}
